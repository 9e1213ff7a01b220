import type { Ranking } from '@/lib/contract/types'
import { dollars, number } from '@/lib/format'

export const periods = ['WEEKLY', 'ALL_TIME'] as const
export const metrics = ['VOLUME', 'PACKS', 'TOP_PULL'] as const

export type Period = (typeof periods)[number]
export type Metric = (typeof metrics)[number]

/** What the address asks for; anything unknown is the default. */
export function rankingOf(search: Record<string, unknown>): Ranking {
  return {
    period: periods.find((period) => period === search['period']) ?? 'ALL_TIME',
    metric: metrics.find((metric) => metric === search['metric']) ?? 'VOLUME',
  }
}

/** A place's value in words: a count of packs, or dollars from cents. */
export function valueText(metric: Metric, value: number, packs: string): string {
  return metric === 'PACKS' ? `${number(value)} ${packs}` : dollars(value)
}
