import { oneOfOrUndefined } from '@/lib/search-param'
import type { Ranking } from '@/contract/types'
import { dollars, number } from '@/lib/format'

export const periods = ['WEEKLY', 'ALL_TIME'] as const
export const metrics = ['VOLUME', 'PACKS', 'TOP_PULL'] as const

export type Period = (typeof periods)[number]
export type Metric = (typeof metrics)[number]

interface Asked {
  period: Period | undefined
  metric: Metric | undefined
}

/** What the address asks for; anything unknown is dropped. */
export function rankingSearch(raw: Readonly<Record<string, unknown>>): Partial<Asked> {
  return { period: oneOfOrUndefined(periods, raw['period']), metric: oneOfOrUndefined(metrics, raw['metric']) }
}

/** Of all time and by volume unless the address says otherwise. */
export function rankingOf({ period = 'ALL_TIME', metric = 'VOLUME' }: Partial<Asked>): Ranking {
  return { period, metric }
}

/** A place's value in words: a count of packs, or dollars from cents. */
export function valueText(metric: Metric, value: number, packs: string): string {
  return metric === 'PACKS' ? `${number(value)} ${packs}` : dollars(value)
}
