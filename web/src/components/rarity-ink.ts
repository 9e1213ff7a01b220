import type { Rarity } from '@/lib/rarity'

/** Text color by rarity. */
export const rarityInk: Record<Rarity, string> = {
  Common: 'text-common-text',
  Rare: 'text-rare-text',
  Epic: 'text-epic-text',
  Legendary: 'text-legendary-text',
  Mythic: 'text-mythic-text',
  Grail: 'text-mythic-text',
}
