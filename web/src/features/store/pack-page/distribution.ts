import type { Bucket } from '@/contract/types'

/** A range of values as a bar. Numbers without a unit are fractions of the chart, 0 to 1. */
export interface Bar extends Bucket {
  left: number
  width: number
  height: number
  /** Worth at least the price. */
  beatsPrice: boolean
}

export interface Distribution {
  bars: Bar[]
  /** The price's position on the axis. */
  price: number
  lowCents: number
  /** The lower end of the last range if it has no upper bound. */
  highCents: number
  isOpenEnded: boolean
}

/** How wide the last range is drawn, if it has no upper bound: as wide as the one before it. */
function openWidth(buckets: readonly Bucket[], priceCents: number): number {
  const before = buckets.at(-2)
  return before ? before.highCents - before.lowCents : priceCents / 10
}

/** A pack's distribution as bars on a linear axis that includes the price; undefined if no card is left. */
export function distributionOf(buckets: readonly Bucket[], priceCents: number): Distribution | undefined {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (!first || !last) return undefined
  const endOf = ({ lowCents, highCents }: Bucket) => highCents || lowCents + openWidth(buckets, priceCents)
  const from = Math.min(first.lowCents, priceCents)
  const to = Math.max(endOf(last), priceCents)
  const place = (cents: number) => (cents - from) / (to - from)
  const highest = Math.max(...buckets.map(({ chance }) => chance))
  const isOpenEnded = last.highCents === 0
  return {
    bars: buckets.map((bucket) => ({
      ...bucket,
      left: place(bucket.lowCents),
      width: place(endOf(bucket)) - place(bucket.lowCents),
      height: bucket.chance / highest,
      beatsPrice: bucket.lowCents >= priceCents,
    })),
    price: place(priceCents),
    lowCents: from,
    highCents: isOpenEnded ? Math.max(last.lowCents, priceCents) : to,
    isOpenEnded,
  }
}
