import type { Pack } from '@/contract/types'
import { number } from '@/lib/format'
import type { demo } from '../texts/en'

/** How likely a card of the demo is in the real pack, in words. */
export function realChance(chance: number, { itemsPerPack }: Pack, t: typeof demo): string {
  const cards = number(Math.max(1, Math.round(1 / chance)))
  return itemsPerPack > 1 ? t.realChancePerCard(cards) : t.realChance(cards)
}
