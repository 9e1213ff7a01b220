import { config } from './config'

type CategoryId = (typeof config.catalogue.categories)[number]['id']

/**
 * The category an item is in, by the server's rule: that of its series, and for the starter pool, which mixes them,
 * the first with a word of the item's name.
 */
export function categoryOf({ series, name }: { series: string; name: string }): CategoryId | undefined {
  return config.catalogue.categories.find(
    (shelf) =>
      shelf.series.includes(series) ||
      (series === config.catalogue.starter && shelf.words.some((word) => name.includes(word))),
  )?.id
}
