import { queryOptions } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

/** The visitor's own opens, newest first. */
export const ownOpensQuery = queryOptions({
  queryKey: queryKeys.opens,
  queryFn: ({ signal }) => read(api.GET('/api/opens', { signal })),
})
