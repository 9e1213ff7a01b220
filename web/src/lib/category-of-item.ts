import { config } from './config'

type CategoryId = (typeof config.catalogue.categories)[number]['id']

/**
 * An item's category, as the server determines it: its series' category. The starter pool mixes categories; there it is
 * the first one with a word from the item's name.
 */
export function categoryOfItem({ series, name }: { series: string; name: string }): CategoryId | undefined {
  return config.catalogue.categories.find(
    (category) =>
      category.series.includes(series) ||
      (series === config.catalogue.starter && category.words.some((word) => name.includes(word))),
  )?.id
}
