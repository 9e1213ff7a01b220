import { queryOptions, skipToken } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

/** The visitor's latest opens, newest first. Beside the list that goes on page by page, under a key of its own. */
export const ownOpensQuery = queryOptions({
  queryKey: [...queryKeys.opens, 'latest'],
  queryFn: ({ signal }) => read(api.GET('/api/opens', { signal })),
})

/** One of them, with its receipt. */
export const ownOpenQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: [...queryKeys.opens, id],
    queryFn: id ? ({ signal }) => read(api.GET('/api/opens/{id}', { params: { path: { id } }, signal })) : skipToken,
  })
