import { queryOptions } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'

/** The seal of the visitor's next open, read afresh: every open changes it. */
export const nextSealQuery = queryOptions({
  queryKey: ['/api/fairness/commitment'],
  queryFn: ({ signal }) => read(api.GET('/api/fairness/commitment', { signal })),
  staleTime: 0,
})
