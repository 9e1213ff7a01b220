import { categories } from '@/components/categories'
import { graders } from '@/components/certificate'
import { isSort } from './texts/sorts'
import { oneOfOrUndefined } from '@/lib/search-param'
import { rarities } from '@/lib/rarity'
import type { ItemFilter } from '@/contract/types'
import { terms } from '@/lib/config'
import { wholePart } from '@/lib/price'

export const grades = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** A change of some fields; undefined takes a field out. */
export type FilterChange = { [Field in keyof ItemFilter]?: ItemFilter[Field] | undefined }

/** What the address asks for; anything unknown or empty is undefined. */
export function filterSearch(raw: Readonly<Record<string, unknown>>): FilterChange {
  return {
    search: words(raw['search']),
    series: oneOfOrUndefined(categories, raw['series']),
    sortBy: isSort(raw['sortBy']) ? raw['sortBy'] : undefined,
    certification: oneOfOrUndefined(graders, raw['certification']),
    rarity: oneOfOrUndefined(rarities, raw['rarity']),
    grade: grades.find((grade) => String(grade) === String(raw['grade'])),
    minPrice: priceOf(raw['minPrice']),
    maxPrice: priceOf(raw['maxPrice']),
  }
}

/** The filter that the address asks for, of what is there alone. */
export function filterOf(raw: Readonly<Record<string, unknown>>): ItemFilter {
  return Object.fromEntries(Object.entries(filterSearch(raw)).filter(([, value]) => value !== undefined))
}

/** Whole dollars from what somebody typed; undefined for what is none. */
export function priceOf(typed: unknown): number | undefined {
  const price = wholePart(String(typed))
  return price !== undefined && price <= terms.highestFilter ? price : undefined
}

/** A router reads digits in an address as a number; here they are letters like any others. */
function words(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return String(value).trim().slice(0, terms.longestSearch) || undefined
}
