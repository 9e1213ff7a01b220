import type { Rarity } from '@/lib/rarity'

/** What is written in a rarity's colour. */
export const rarityInk: Record<Rarity, string> = {
  Common: 'text-common-text',
  Rare: 'text-rare-text',
  Epic: 'text-epic-text',
  Legendary: 'text-legendary-text',
  Mythic: 'text-mythic-text',
  Grail: 'text-mythic-text',
}
