import { oneOfOrUndefined } from '@/lib/search-param'

export const collectionTabs = ['all', 'listed', 'unlisted', 'Common', 'Rare', 'Epic', 'Legendary', 'Mythic'] as const

export type CollectionTab = (typeof collectionTabs)[number]

/** Search parameters; unknown values are dropped. */
export function collectionSearch(raw: Readonly<Record<string, unknown>>): { tab?: CollectionTab | undefined } {
  return { tab: oneOfOrUndefined(collectionTabs, raw['tab']) }
}
