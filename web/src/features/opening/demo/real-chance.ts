import type { Pack } from '@/contract/types'
import { oneIn } from '@/lib/one-in'
import type { demo } from '../texts/en'

/** How likely a card of the demo is in the real pack, in words. */
export function realChance(chance: number, { itemsPerPack }: Pack, t: typeof demo): string {
  return itemsPerPack > 1 ? t.realChancePerCard(oneIn(chance)) : t.realChance(oneIn(chance))
}
