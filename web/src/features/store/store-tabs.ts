import type { Pack } from '@/contract/types'
import { categories, type Category, categoryOfSeries } from '@/components/categories'

export type StoreTab = 'featured' | Category

/** The store's tabs, in order; each name is also the URL hash that selects it. */
export const storeTabs: readonly StoreTab[] = ['featured', ...categories]

/** Falls back to `featured` unless the hash is exactly a tab's name. */
export function tabOfHash(hash: string): StoreTab {
  return storeTabs.find((tab) => tab === hash) ?? 'featured'
}

/** Featured has all packs except demo packs. */
export function packsOnTab(packs: readonly Pack[], tab: StoreTab): Pack[] {
  const store = packs.filter((pack) => !pack.isDemo)
  return tab === 'featured'
    ? store
    : store.filter(({ series }) => series.some((name) => categoryOfSeries(name) === tab))
}
