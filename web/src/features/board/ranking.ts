export const periods = ['WEEKLY', 'ALL_TIME'] as const
export const metrics = ['VOLUME', 'PACKS', 'TOP_PULL'] as const

export type Period = (typeof periods)[number]
export type Metric = (typeof metrics)[number]

/** What the address asks for; anything unknown is the default. */
export function rankingOf(search: Record<string, unknown>): { period: Period; metric: Metric } {
  return {
    period: periods.find((period) => period === search['period']) ?? 'ALL_TIME',
    metric: metrics.find((metric) => metric === search['metric']) ?? 'VOLUME',
  }
}
