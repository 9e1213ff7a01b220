import { storeTexts } from '../texts'
import { oneIn } from '@/lib/one-in'

/** Says how likely a card is: per open, or per card drawn in packs of several. Empty for an unknown chance. */
export function useChanceText(itemsPerPack: number): (chance: number | undefined) => string {
  const t = storeTexts.useT().pack
  return (chance) => {
    if (!chance) return ''
    return itemsPerPack > 1 ? t.oneInCards(oneIn(chance)) : t.oneIn(oneIn(chance))
  }
}
