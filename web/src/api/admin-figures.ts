import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'
import { listCsvUrl, type Period } from './list-filter'

/** Kaibao's key figures, for admins. */
export const keyFiguresQuery = queryOptions({
  queryKey: keys.metrics,
  queryFn: ({ signal }) => read(api.GET('/api/admin/metrics', { signal })),
})

/** Age and last result of backups and drills. */
export const backupsQuery = queryOptions({
  queryKey: keys.backups,
  queryFn: ({ signal }) => read(api.GET('/api/admin/backups', { signal })),
})

const sealedPollMs = 5000

/** What the orders of sealed packs wait for, refetched while displayed. */
export const sealedStateQuery = queryOptions({
  queryKey: keys.sealedState,
  queryFn: ({ signal }) => read(api.GET('/api/admin/sealed', { signal })),
  staleTime: sealedPollMs,
  refetchInterval: sealedPollMs,
})

const maxDays = 90

/** Totals of the latest closed days, newest first. */
export const dailyFiguresQuery = queryOptions({
  queryKey: keys.days,
  queryFn: ({ signal }) => read(api.GET('/api/admin/days', { params: { query: { limit: maxDays } }, signal })),
})

export const dailyFiguresCsvUrl = '/api/admin/days?format=csv'

/** Periods of the top pulls, in days. */
export const topDays = [7, 30, 90] as const

/** The most valuable pulls of the last days. */
export const topPullsQuery = (days: (typeof topDays)[number]) =>
  queryOptions({
    queryKey: [...keys.topPulls, days],
    queryFn: ({ signal }) => read(api.GET('/api/admin/top-pulls', { params: { query: { days } }, signal })),
  })

/** Pairs of users with the highest trade volume in recent days. */
export const tradePairsQuery = (days: (typeof topDays)[number]) =>
  queryOptions({
    queryKey: [...keys.tradePairs, days],
    queryFn: ({ signal }) => read(api.GET('/api/admin/trade-pairs', { params: { query: { days } }, signal })),
  })

/** Names of the CSV exports: the last segments of their paths. */
export const exportNames = [
  'packs',
  'opens',
  'entries',
  'sales',
  'sell-backs',
  'bids',
  'transfers',
  'approvals',
  'orphans',
] as const

/** CSV download URL of an export. Packs have no period. */
export const exportUrl = (name: (typeof exportNames)[number], period: Period = {}) =>
  listCsvUrl(`/api/admin/${name}`, name === 'packs' ? {} : period)
