import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { paths } from '@/contract/schema'
import type { Trade } from '@/contract/types'
import { useSignedIn } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { useNewRows } from './new-rows'
import { pagedQuery } from './paged-query'

type TradeQuery = NonNullable<paths['/api/activity']['get']['parameters']['query']>

export type TradeKind = NonNullable<TradeQuery['kind']>

/** Filters trades by item, series or kind, or to the visitor's own. */
export type TradeFilter = Pick<TradeQuery, 'itemId' | 'series' | 'kind'> & { mine?: boolean }

const pathOf = (mine: boolean | undefined) => (mine ? '/api/activity/me' : '/api/activity')

const tradesQuery = ({ mine, ...filter }: TradeFilter) =>
  pagedQuery([...keys.trades, pathOf(mine), filter], (page, options) =>
    api.GET(pathOf(mine), { params: { query: { ...filter, ...page } }, ...options }),
  )

/** The trades that match a filter, newest first, in pages. Shows the previous ones while loading. */
export function useTrades(filter: TradeFilter) {
  const signedIn = useSignedIn()
  const enabled = signedIn || !filter.mine
  return useInfiniteQuery({ ...tradesQuery(filter), placeholderData: keepPreviousData, enabled })
}

/** Trades added since the list was loaded. */
export function useNewTrades(filter: TradeFilter) {
  return useNewRows(tradesQuery(filter))
}

const maxSales = 8
/** Requests more, because the response includes sell-backs. */
const requestedTrades = 40

/** The latest sales between users, newest first. */
export function useLastSales() {
  return useQuery({
    queryKey: keys.lastSales,
    queryFn: async ({ signal }): Promise<Trade[]> => {
      const latest = await read(api.GET('/api/activity', { params: { query: { limit: requestedTrades } }, signal }))
      return latest.filter(({ kind }) => kind !== 'sell-back').slice(0, maxSales)
    },
  })
}

/** CSV download URL of the matching trades. */
export function tradesCsvUrl({ mine, ...filter }: TradeFilter): string {
  return `${pathOf(mine)}?${new URLSearchParams({ ...filter, format: 'csv' }).toString()}`
}

/** Statistics of an item's sales between users. */
export function salesQuery(item: string) {
  return queryOptions({
    queryKey: keys.itemSales(item),
    queryFn: ({ signal }) => read(api.GET('/api/items/{id}/sales', { params: { path: { id: item } }, signal })),
  })
}

const recentPullsQuery = queryOptions({
  queryKey: keys.recentPulls,
  queryFn: ({ signal }) => read(api.GET('/api/activity/recent', { signal })),
})

/** All users' latest pulls, newest first. */
export function useRecentPulls() {
  return useQuery(recentPullsQuery)
}
