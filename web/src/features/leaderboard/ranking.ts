import { oneOfOrUndefined } from '@/lib/search-param'
import type { Ranking } from '@/contract/types'
import { dollars, number } from '@/lib/format'

export const periods = ['WEEKLY', 'ALL_TIME'] as const
export const metrics = ['VOLUME', 'PACKS', 'TOP_PULL'] as const

export type Period = (typeof periods)[number]
export type Metric = (typeof metrics)[number]

interface RankingSearch {
  period: Period | undefined
  metric: Metric | undefined
}

/** Parses the URL's parameters and drops unknown values. */
export function rankingSearch(raw: Readonly<Record<string, unknown>>): Partial<RankingSearch> {
  return { period: oneOfOrUndefined(periods, raw['period']), metric: oneOfOrUndefined(metrics, raw['metric']) }
}

export function rankingOf({ period = 'ALL_TIME', metric = 'VOLUME' }: Partial<RankingSearch>): Ranking {
  return { period, metric }
}

/** Formats a rank's value: a number of packs, or cents as dollars. */
export function valueText(metric: Metric, value: number, packs: string): string {
  return metric === 'PACKS' ? `${number(value)} ${packs}` : dollars(value)
}
