import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, pageQuery, read, readPage, readTotal } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

/** Every pack, on sale or not. */
export const packsQuery = queryOptions({
  queryKey: queryKeys.adminPacks,
  queryFn: ({ signal }) => read(api.GET('/api/admin/packs', { signal })),
})

export const activityQuery = queryOptions({
  queryKey: queryKeys.activity,
  queryFn: ({ signal }) => read(api.GET('/api/activity/recent', { signal })),
})

/** How many items the catalogue has. */
export const itemCountQuery = queryOptions({
  queryKey: [...queryKeys.items, 'count'],
  queryFn: ({ signal }) => readTotal(api.GET('/api/items', { params: { query: { limit: 1 } }, signal })),
})

/** The whole catalogue, a page at a time. */
export const itemsQuery = infiniteQueryOptions({
  queryKey: queryKeys.items,
  queryFn: ({ pageParam, signal }) =>
    readPage(api.GET('/api/items', { params: { query: pageQuery(pageParam) }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next,
  select: ({ pages }) => pages.flatMap(({ entries }) => entries),
})
