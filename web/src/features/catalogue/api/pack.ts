import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

export function packQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.pack(id),
    queryFn: ({ signal }) => read(api.GET('/api/packs/{id}', { params: { path: { id } }, signal })),
  })
}

export function usePack(id: string) {
  return useQuery(packQuery(id))
}
