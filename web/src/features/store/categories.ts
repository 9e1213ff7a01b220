import type { Pack } from '@/contract/types'
import { categories, type Category, categoryOfSeries } from '@/components/categories'

export type StoreTab = 'featured' | Category

/** The store's tabs, in order; each name is also the URL hash that selects it. */
export const storeTabs: readonly StoreTab[] = ['featured', ...categories]

/** A tab is preselected only by a hash that is exactly its name. */
export function tabOfHash(hash: string): StoreTab {
  return storeTabs.find((tab) => tab === hash) ?? 'featured'
}

/** The packs on a tab. Featured holds all of the store, and the store all but the demo packs. */
export function packsOnTab(packs: readonly Pack[], tab: StoreTab): Pack[] {
  const store = packs.filter((pack) => !pack.isDemo)
  return tab === 'featured'
    ? store
    : store.filter(({ series }) => series.some((name) => categoryOfSeries(name) === tab))
}
