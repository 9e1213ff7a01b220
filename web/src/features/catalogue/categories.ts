import type { Pack } from '@/lib/contract/types'
import { type Category, categories } from '@/domain/categories'

/** The store's tabs, in order; each name is also the URL hash that selects it. */
export const storeTabs = [
  'featured',
  'pokemon',
  'onepiece',
  'basketball',
  'football',
  'soccer',
  'baseball',
  'labubu',
] as const

export type StoreTab = (typeof storeTabs)[number]

/** A tab is preselected only by a hash that is exactly its name. */
export function tabOfHash(hash: string): StoreTab {
  return storeTabs.find((tab) => tab === hash) ?? 'featured'
}

/** The category a series belongs to; both Labubu collections are one. Undefined for series without a tab of their own. */
export function categoryOfSeries(series: string): Category | undefined {
  const name = series.toLowerCase().replaceAll(' ', '')
  return categories.find((category) => (category === 'labubu' ? name.startsWith(category) : name === category))
}

/** The packs on a tab. Featured holds all of the store, and the store all but the demo packs. */
export function packsOnTab(packs: readonly Pack[], tab: StoreTab): Pack[] {
  const store = packs.filter((pack) => !pack.isDemo)
  return tab === 'featured'
    ? store
    : store.filter(({ series }) => series.some((name) => categoryOfSeries(name) === tab))
}

/** Packs of toys show dollar values with the name, and speak of rares instead of grails. */
export function isToyPack(pack: Pick<Pack, 'series'>): boolean {
  return pack.series.some((series) => categoryOfSeries(series) === 'labubu')
}
