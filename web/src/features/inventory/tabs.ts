import { rarities } from '@/lib/rarity'
import { oneOfOrUndefined } from '@/lib/search-param'

export const collectionTabs = ['all', 'listed', 'unlisted', 'shipping', 'giving', ...rarities] as const

export type CollectionTab = (typeof collectionTabs)[number]

/** The parts of the collection page. */
export const collectionViews = ['cards', 'value', 'sets'] as const

export type CollectionView = (typeof collectionViews)[number]

/** Search parameters; unknown values are dropped. The tabs filter by rarity, so the filter bar doesn't. */
export function collectionSearch(raw: Readonly<Record<string, unknown>>): {
  tab?: CollectionTab | undefined
  view?: CollectionView | undefined
  rarity?: undefined
} {
  return {
    tab: oneOfOrUndefined(collectionTabs, raw['tab']),
    view: oneOfOrUndefined(collectionViews, raw['view']),
    rarity: undefined,
  }
}
