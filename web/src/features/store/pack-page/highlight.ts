import type { Odds } from '@/contract/types'

/** Gold marks ranges worth at least the price; if ranges aren't values, the rarest one. */
export function isHighlighted(odds: readonly Pick<Odds, 'lowCents'>[], index: number, priceCents: number): boolean {
  const band = odds[index]
  if (!band) return false
  return band.lowCents > 0 ? band.lowCents >= priceCents : index === odds.length - 1
}
