import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { terms } from '@/lib/config'
import { useMine } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { pagesOf, type PageQuery } from './pages'

const mine = (query: PageQuery & { state: 'open' | 'ended' }, options: { signal: AbortSignal }) =>
  api.GET('/api/bids', { params: { query }, ...options })

/** All open bids of the visitor's, the newest first: as many as anybody may have. */
export function useOpenBids() {
  return useQuery({
    queryKey: keys.openBids,
    queryFn: ({ signal }) => read(mine({ state: 'open', limit: terms.largestPage }, { signal })),
    enabled: useMine(),
  })
}

const endedQuery = pagesOf([...keys.bids, 'ended'], (page, options) => mine({ state: 'ended', ...page }, options))

/** The bids of the visitor's that have ended, the newest first, a page at a time. */
export function useEndedBids() {
  return useInfiniteQuery({ ...endedQuery, enabled: useMine() })
}

/** The bids that an entry of the visitor's can be sold to. */
export function useBidsOnOwn(inventoryId: string) {
  return useQuery({
    queryKey: [...keys.entry(inventoryId), 'bids'],
    queryFn: ({ signal }) =>
      read(api.GET('/api/inventory/{id}/bids', { params: { path: { id: inventoryId } }, signal })),
    enabled: useMine(),
  })
}
