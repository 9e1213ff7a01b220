import { config } from '@/lib/config'
import type { Pack } from '@/contract/types'

const settings = config.catalogue.categories

export type Category = (typeof settings)[number]['id']

/** In the store's order. */
export const categories: readonly Category[] = settings.map(({ id }) => id)

/** The category of a series; undefined if it has none. */
export function categoryOfSeries(series: string): Category | undefined {
  return settings.find((category) => category.series.includes(series))?.id
}

/** Whether a pack contains toys: it is drawn as a box, shows dollar values with names, and has rares, not grails. */
export function isToyPack(pack: Pick<Pack, 'series'>): boolean {
  return settings.some((category) => category.toys && category.series.some((series) => pack.series.includes(series)))
}
