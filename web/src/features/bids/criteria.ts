import { config } from '@/lib/config'
import type { BidScope, ItemFilter } from '@/contract/types'

/** The minimum grades that a bid can require. */
export const minGrades: readonly NonNullable<BidScope['minGrade']>[] = [8, 9, 9.5, 10]

/** The part of a market filter that bids support. Series only if the category has exactly one. */
export function criteriaFrom({ series, certification, rarity, grade }: ItemFilter): BidScope {
  const category = config.catalogue.categories.find(({ id }) => id === series)
  const minGrade = minGrades.find((allowed) => allowed === grade)
  return {
    ...(category?.series.length === 1 && { series: category.series[0] }),
    ...(certification && { certType: certification }),
    ...(rarity && { rarity }),
    ...(minGrade && { minGrade }),
  }
}
