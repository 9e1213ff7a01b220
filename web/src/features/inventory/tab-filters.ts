import type { EntryFilter } from '@/contract/types'
import type { CollectionTab } from './tabs'

/** The filter of each tab's requests. */
export const filterOfTab: Record<CollectionTab, EntryFilter> = {
  all: {},
  listed: { state: 'listed' },
  unlisted: { state: 'held' },
  shipping: { state: 'claimed' },
  giving: { state: 'giving' },
  Common: { rarity: 'Common' },
  Rare: { rarity: 'Rare' },
  Epic: { rarity: 'Epic' },
  Legendary: { rarity: 'Legendary' },
  Mythic: { rarity: 'Mythic' },
  Grail: { rarity: 'Grail' },
}
