import type { EntryFilter } from '@/contract/types'
import type { CollectionTab } from './tabs'

/** The filters of each tab's requests. Grails are the toys' Mythics and share their tab. */
export const filtersOf: Record<CollectionTab, readonly EntryFilter[]> = {
  all: [{}],
  listed: [{ state: 'listed' }],
  unlisted: [{ state: 'held' }],
  Common: [{ rarity: 'Common' }],
  Rare: [{ rarity: 'Rare' }],
  Epic: [{ rarity: 'Epic' }],
  Legendary: [{ rarity: 'Legendary' }],
  Mythic: [{ rarity: 'Mythic' }, { rarity: 'Grail' }],
}
