import type { Odds } from '@/contract/types'

/** Bands worth at least the price are drawn in gold; of bands that are no values, the rarest. */
export function isBright(odds: readonly Pick<Odds, 'lowCents'>[], index: number, priceCents: number): boolean {
  const band = odds[index]
  if (!band) return false
  return band.lowCents > 0 ? band.lowCents >= priceCents : index === odds.length - 1
}
