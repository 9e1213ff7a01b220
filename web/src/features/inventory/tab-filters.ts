import type { EntryFilter } from '@/contract/types'
import type { CollectionTab } from './tabs'

/** What a tab asks the server for, one after the other. Grails are the toys' Mythics and stand with them. */
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
