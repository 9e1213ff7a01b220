import { categories } from '@/components/categories'
import { graders } from '@/components/certificate'
import { isSort } from './texts/sorts'
import { oneOfOrUndefined } from '@/lib/search-param'
import { rarities } from '@/lib/rarity'
import type { ItemFilter } from '@/contract/types'
import { terms } from '@/lib/config'

export const grades = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** Changes of some fields; undefined removes a field. */
export type FilterChange = { [Field in keyof ItemFilter]?: ItemFilter[Field] | undefined }

/** Parses the URL's search parameters; unknown and empty values become undefined. */
export function filterSearch(raw: Readonly<Record<string, unknown>>): FilterChange {
  return {
    search: searchText(raw['search']),
    series: oneOfOrUndefined(categories, raw['series']),
    sortBy: isSort(raw['sortBy']) ? raw['sortBy'] : undefined,
    certification: oneOfOrUndefined(graders, raw['certification']),
    rarity: oneOfOrUndefined(rarities, raw['rarity']),
    grade: grades.find((grade) => String(grade) === String(raw['grade'])),
    minPrice: priceOf(raw['minPrice']),
    maxPrice: priceOf(raw['maxPrice']),
  }
}

/** The same without undefined fields. */
export function filterOf(raw: Readonly<Record<string, unknown>>): ItemFilter {
  return Object.fromEntries(Object.entries(filterSearch(raw)).filter(([, value]) => value !== undefined))
}

/** Truncates to whole dollars; undefined if it isn't a valid price. */
function priceOf(value: unknown): number | undefined {
  const price = typeof value === 'number' || value ? Math.trunc(Number(value)) : Number.NaN
  return price >= 0 && price <= terms.highestFilter ? price : undefined
}

/** The router parses digits as a number; here they are text. */
function searchText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return String(value).trim().slice(0, terms.longestSearch) || undefined
}
