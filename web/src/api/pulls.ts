import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

export const pullPeriods = ['today', 'week', 'all'] as const

export type PullPeriod = (typeof pullPeriods)[number]

const refreshedAfterMs = 60_000

/** The most valuable pulls of a period, best first, refetched while displayed. Days and weeks begin in UTC. */
export function useTopPulls(period: PullPeriod) {
  return useQuery({
    queryKey: [...keys.bestPulls, period],
    queryFn: ({ signal }) => read(api.GET('/api/pulls/top', { params: { query: { period } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: refreshedAfterMs,
    refetchInterval: refreshedAfterMs,
  })
}
