import { afterFee } from '@/components/fee'
import { terms } from '@/lib/config'
import type { Bid, Level } from '@/contract/types'

/** What a bid pays for one: a fixed price, or a part of the value up to a cap. */
export type Price = { [Part in 'priceCents' | 'pegPercent' | 'capCents']?: number | undefined }

function stepAt(cents: number): number {
  return (terms.bidSteps.find(({ upToCents }) => cents <= upToCents) ?? terms.bidSteps.at(-1))?.stepCents ?? 1
}

/** Whether a bid may be of so many cents. */
export function isBid(cents: number): boolean {
  return cents >= terms.leastBidCents && cents <= terms.highestPriceCents && cents % stepAt(cents) === 0
}

/** The lowest bid of at least so many cents; undefined beyond the highest. */
export function bidFrom(cents: number): number | undefined {
  const least = Math.max(terms.leastBidCents, Math.ceil(cents))
  const bid = Math.ceil(least / stepAt(least)) * stepAt(least)
  return bid <= terms.highestPriceCents ? bid : undefined
}

/** The most that a bid pays for one, which is what it holds for it. */
export function mostOf({ priceCents, capCents }: Price): number {
  return priceCents ?? capCents ?? 0
}

/** What a bid pays for an item of a value, rounded down as the server does. */
export function paysFor(price: Price, valueCents: number): number {
  const { pegPercent } = price
  if (pegPercent === undefined) return mostOf(price)
  return Math.min(Math.floor((valueCents * pegPercent) / 100), mostOf(price))
}

/** What the house pays for an item of a value. */
export function houseFor(valueCents: number): number {
  return Math.floor((valueCents * terms.sellBackPercent) / 100)
}

/** The lowest bid that leaves the seller more than the house pays, after a fee in basis points. */
export function beatsHouse(houseCents: number, points: number): number | undefined {
  let bid = bidFrom(houseCents)
  while (bid !== undefined && afterFee(bid, points) <= houseCents) bid = bidFrom(bid + 1)
  return bid
}

/** What is for sale, without the visitor's own: nobody buys of themselves. */
export function others(asks: readonly Level[], own: readonly number[]): Level[] {
  return asks.map(({ priceCents, count }) => ({
    priceCents,
    count: count - own.filter((price) => price === priceCents).length,
  }))
}

/** How many a bid would buy at once of what is for sale, the cheapest first, and for how much. */
export function crossing(asks: readonly Level[], most: number, quantity: number): { count: number; cents: number } {
  const bought = { count: 0, cents: 0 }
  for (const { priceCents, count } of asks) {
    if (priceCents > most) break
    const taken = Math.min(count, quantity - bought.count)
    bought.count += taken
    bought.cents += taken * priceCents
  }
  return bought
}

/**
 * The price by which a bid goes ahead of the best of others' for the same, by as little as can be; undefined where
 * none does. One for many items is compared by its cap, as the server does.
 */
export function outbidding({ outbidCents, pegPercent, capCents = 0, valueCents }: Bid): Price | undefined {
  if (outbidCents === undefined) return undefined
  const ahead = bidFrom(outbidCents + 1)
  if (ahead === undefined) return undefined
  if (pegPercent === undefined) return { priceCents: ahead }
  const cap = Math.max(ahead, capCents)
  const percents = Array.from({ length: terms.mostPeg - pegPercent + 1 }, (_, more) => pegPercent + more)
  const percent = percents.find(
    (one) => paysFor({ pegPercent: one, capCents: cap }, valueCents ?? terms.highestPriceCents) > outbidCents,
  )
  return percent === undefined ? undefined : { pegPercent: percent, capCents: cap }
}
