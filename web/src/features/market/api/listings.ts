import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, pageQuery, read, readPage } from '@/lib/api/client'
import type { ItemFilter } from '@/lib/api/types'
import { terms } from '@/lib/config'
import { queryKeys } from '@/lib/query'
import { useSession } from '@/lib/session'

function listingsQuery(filter: ItemFilter) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.marketplace, filter],
    queryFn: ({ pageParam, signal }) =>
      readPage(api.GET('/api/marketplace', { params: { query: { ...filter, ...pageQuery(pageParam) } }, signal })),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
    placeholderData: keepPreviousData,
  })
}

/** What is for sale and passes a filter, a page at a time; until it is here, what was shown before. */
export function useListings(filter: ItemFilter) {
  const { status, frozen } = useSession()
  return useInfiniteQuery({ ...listingsQuery(filter), enabled: status === 'signed-in' && !frozen })
}

const myListingsQuery = queryOptions({
  queryKey: [...queryKeys.inventory, 'for sale'],
  queryFn: ({ signal }) =>
    read(api.GET('/api/inventory/me', { params: { query: { state: 'listed', limit: terms.largestPage } }, signal })),
})

/** The visitor's own listings, the newest entries first, as many as a page holds. */
export function useMyListings() {
  const { status, frozen } = useSession()
  return useQuery({ ...myListingsQuery, enabled: status === 'signed-in' && !frozen })
}
