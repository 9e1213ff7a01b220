import { categories } from '@/domain/categories'
import { graders } from '@/domain/certificate'
import { isSort } from './texts/sorts'
import type { ItemFilter } from '@/lib/contract/types'
import { terms } from '@/lib/config'
import { wholePart } from '@/lib/price'

export const grades = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** A change of some fields; undefined takes a field out. */
export type FilterChange = { [Field in keyof ItemFilter]?: ItemFilter[Field] | undefined }

/** What the address asks for; anything unknown or empty is dropped. */
export function filterOf(search: Readonly<Record<string, unknown>>): ItemFilter {
  const wanted: FilterChange = {
    search: words(search['search']),
    series: categories.find((category) => category === search['series']),
    sortBy: isSort(search['sortBy']) ? search['sortBy'] : undefined,
    certification: graders.find((grader) => grader === search['certification']),
    grade: grades.find((grade) => String(grade) === String(search['grade'])),
    minPrice: priceOf(search['minPrice']),
    maxPrice: priceOf(search['maxPrice']),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
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
