import { known } from '@/lib/address'
import type { EntryFilter } from '@/lib/contract/types'

export const collectionTabs = ['all', 'listed', 'unlisted', 'Common', 'Rare', 'Epic', 'Legendary', 'Mythic'] as const

export type CollectionTab = (typeof collectionTabs)[number]

/** What the address asks for; anything unknown is dropped. */
export function collectionSearch(raw: Readonly<Record<string, unknown>>): { tab?: CollectionTab | undefined } {
  return { tab: known(collectionTabs, raw['tab']) }
}

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
