import { config } from '@/lib/config'
import type { BidScope, ItemFilter } from '@/contract/types'

/** The grades from which on a criterion can ask for items. */
export const minGrades: readonly NonNullable<BidScope['minGrade']>[] = [8, 9, 9.5, 10]

/** As much of a filter as a bid can ask for. */
export function criterionOf({ series, certification, rarity, grade }: ItemFilter): BidScope {
  const shelf = config.catalogue.categories.find(({ id }) => id === series)
  const minGrade = minGrades.find((one) => one === grade)
  return {
    ...(shelf?.series.length === 1 && { series: shelf.series[0] }),
    ...(certification && { certType: certification }),
    ...(rarity && { rarity }),
    ...(minGrade && { minGrade }),
  }
}
