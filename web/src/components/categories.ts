import { config } from '@/lib/config'
import type { Pack } from '@/contract/types'

const shelves = config.catalogue.categories

export type Category = (typeof shelves)[number]['id']

/** In the store's order. */
export const categories: readonly Category[] = shelves.map(({ id }) => id)

/** The category a series belongs to; undefined for series without a shelf of their own. */
export function categoryOfSeries(series: string): Category | undefined {
  return shelves.find((shelf) => shelf.series.includes(series))?.id
}

/** Toys come in a box; their packs show dollar values with the name, and speak of rares instead of grails. */
export function isToyPack(pack: Pick<Pack, 'series'>): boolean {
  return shelves.some((shelf) => shelf.toys && shelf.series.some((series) => pack.series.includes(series)))
}
