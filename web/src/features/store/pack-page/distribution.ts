import type { Odds } from '@/contract/types'
import { isBright } from './bright'

/** A band as a box on a logarithmic value axis; all numbers are shares of the drawing, 0 to 1. */
export interface Box {
  label: string
  left: number
  width: number
  height: number
  /** Worth at least the price. */
  bright: boolean
}

export interface Distribution {
  boxes: Box[]
  /** Where the price stands on the axis. */
  price: number
  lowCents: number
  highCents: number
  /** Where the last band begins, if it has no end; `highCents` is then only how far it is drawn. */
  openFromCents: number | undefined
}

/** A band without an upper bound is drawn this much longer than its beginning. */
const openEnd = 1.5

type Band = Pick<Odds, 'label' | 'lowCents' | 'highCents' | 'chance'>

function end(band: Band): number {
  return band.highCents || Math.round(band.lowCents * openEnd)
}

/** Undefined for packs whose bands are not values, such as rarities or series. */
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
      bright: isBright(odds, index, priceCents),
    })),
    price: place(priceCents),
    lowCents,
    highCents,
    openFromCents: odds.find((band) => band.highCents === 0)?.lowCents,
  }
}

/** The chance to pull at least the price; undefined when a band lies on both sides of it. */
export function chanceAtLeast(odds: readonly Band[], priceCents: number): number | undefined {
  const straddles = odds.some(
    (band) => band.lowCents < priceCents && (band.highCents === 0 || band.highCents > priceCents),
  )
  if (straddles) return undefined
  return odds.reduce((sum, band) => (band.lowCents >= priceCents ? sum + band.chance : sum), 0)
}
