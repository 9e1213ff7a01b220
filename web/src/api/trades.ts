import { keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { paths } from '@/lib/contract/schema'
import { useMine } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { pagesOf } from './pages'

type TradeQuery = NonNullable<paths['/api/activity']['get']['parameters']['query']>

export type TradeKind = NonNullable<TradeQuery['kind']>

/** What trades are asked for: of one item, series or kind, or the visitor's alone. */
export type TradeFilter = Pick<TradeQuery, 'itemId' | 'series' | 'kind'> & { mine?: boolean }

const pathOf = (mine: boolean | undefined) => (mine ? '/api/activity/me' : '/api/activity')

/** All trades that pass a filter, newest first, a page at a time; until they are here, the ones before. */
export function useTrades({ mine, ...filter }: TradeFilter) {
  const signedIn = useMine()
  const query = pagesOf([...keys.trades, pathOf(mine), filter], (page, options) =>
    api.GET(pathOf(mine), { params: { query: { ...filter, ...page } }, ...options }),
  )
  return useInfiniteQuery({ ...query, placeholderData: keepPreviousData, enabled: signedIn || !mine })
}

/** Where all trades that pass a filter are had as a CSV file. */
export function tradesFile({ mine, ...filter }: TradeFilter): string {
  return `${pathOf(mine)}?${new URLSearchParams({ ...filter, format: 'csv' }).toString()}`
}

/** What an item's sales between users come to. */
export function salesQuery(item: string) {
  return queryOptions({
    queryKey: [...keys.items, item, 'sales'],
    queryFn: ({ signal }) => read(api.GET('/api/items/{id}/sales', { params: { path: { id: item } }, signal })),
  })
}
