import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

export const pullPeriods = ['today', 'week', 'all'] as const

export type PullPeriod = (typeof pullPeriods)[number]

const refreshedAfterMs = 60_000

/**
 * The most valuable pulls of a period, of one pack or all, best first, refetched while displayed. Days and weeks begin
 * in UTC.
 */
export function useTopPulls(period: PullPeriod, packId?: string) {
  return useQuery({
    queryKey: [...keys.publicTopPulls, period, packId],
    queryFn: ({ signal }) =>
      read(api.GET('/api/pulls/top', { params: { query: { period, ...(packId && { packId }) } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: refreshedAfterMs,
    refetchInterval: refreshedAfterMs,
  })
}
