import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

export const packsQuery = queryOptions({
  queryKey: queryKeys.packs,
  queryFn: ({ signal }) => read(api.GET('/api/packs', { signal })),
})

export function usePacks() {
  return useQuery(packsQuery)
}
