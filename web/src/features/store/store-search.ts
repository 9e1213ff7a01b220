import { oneOfOrUndefined } from '@/lib/search-param'

/** Orders of the store's packs other than the featured one; each name is also the value of the URL's `sort`. */
export const packSorts = ['price', 'chance', 'value'] as const

export type PackSort = (typeof packSorts)[number]

/** The store's URL parameters. */
export interface StoreSearch {
  sort?: PackSort | undefined
}

/** Parses the URL's parameters and drops unknown values. */
export function storeSearch(raw: Readonly<Record<string, unknown>>): StoreSearch {
  return { sort: oneOfOrUndefined(packSorts, raw['sort']) }
}
