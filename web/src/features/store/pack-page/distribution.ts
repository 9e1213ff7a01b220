import type { Odds } from '@/contract/types'
import { isHighlighted } from './highlight'

/** A value range as a box on a logarithmic axis. Numbers are fractions of the drawing, 0 to 1. */
export interface Box {
  label: string
  left: number
  width: number
  height: number
  /** Worth at least the price. */
  highlighted: boolean
}

export interface Distribution {
  boxes: Box[]
  /** The price's position on the axis. */
  price: number
  lowCents: number
  highCents: number
  /** Where the last range begins, if it has no upper bound; `highCents` is then only how far it's drawn. */
  openFromCents: number | undefined
}

/** A range without an upper bound is drawn up to its lower bound times this. */
const openEnd = 1.5

type Band = Pick<Odds, 'label' | 'lowCents' | 'highCents' | 'chance'>

function end(band: Band): number {
  return band.highCents || Math.round(band.lowCents * openEnd)
}

/** Undefined for packs whose ranges aren't values, such as rarities or series. */
export function distributionOf(odds: readonly Band[], priceCents: number): Distribution | undefined {
  if (odds.length === 0 || odds.some((band) => band.lowCents <= 0)) return undefined
  const lowCents = Math.min(...odds.map((band) => band.lowCents), priceCents)
  const highCents = Math.max(...odds.map(end), priceCents)
  const highest = Math.max(...odds.map((band) => band.chance))
  const place = (cents: number) => Math.log(cents / lowCents) / Math.log(highCents / lowCents)
  return {
    boxes: odds.map((band, index) => ({
      label: band.label,
      left: place(band.lowCents),
      width: place(end(band)) - place(band.lowCents),
      height: highest > 0 ? band.chance / highest : 0,
      highlighted: isHighlighted(odds, index, priceCents),
    })),
    price: place(priceCents),
    lowCents,
    highCents,
    openFromCents: odds.find((band) => band.highCents === 0)?.lowCents,
  }
}

/** The chance to pull at least the price; undefined if a range contains the price. */
export function chanceAtLeast(odds: readonly Band[], priceCents: number): number | undefined {
  const straddles = odds.some(
    (band) => band.lowCents < priceCents && (band.highCents === 0 || band.highCents > priceCents),
  )
  if (straddles) return undefined
  return odds.reduce((sum, band) => (band.lowCents >= priceCents ? sum + band.chance : sum), 0)
}
