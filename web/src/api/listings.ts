import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { KeptListing } from '@/contract/on-sale'
import type { ItemFilter } from '@/contract/types'
import { useMine } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { useFresh } from './fresh'
import { pagesOf } from './pages'

const listingsQuery = (filter: ItemFilter) =>
  pagesOf<KeptListing>([...keys.marketplace, filter], (page, options) =>
    api.GET('/api/marketplace', { params: { query: { ...filter, ...page } }, ...options }),
  )

/** What is for sale and passes a filter, a page at a time; until it is here, what was shown before. */
export function useListings(filter: ItemFilter) {
  return useInfiniteQuery({ ...listingsQuery(filter), placeholderData: keepPreviousData, enabled: useMine() })
}

/** What has come up for sale since the list was read. */
export function useFreshListings(filter: ItemFilter) {
  return useFresh(listingsQuery(filter))
}

/** How many listings each choice of the filter would leave. The order of the list changes nothing in that. */
export function useFacets(filter: ItemFilter) {
  const query = { ...filter }
  delete query.sortBy
  return useQuery({
    queryKey: [...keys.facets, query],
    queryFn: ({ signal }) => read(api.GET('/api/marketplace/facets', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    enabled: useMine(),
  })
}
