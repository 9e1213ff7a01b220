import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

export const packsQuery = queryOptions({
  queryKey: keys.packs,
  queryFn: ({ signal }) => read(api.GET('/api/packs', { signal })),
})

/** All packs on sale. */
export function usePacks() {
  return useQuery(packsQuery)
}

export function packQuery(id: string) {
  return queryOptions({
    queryKey: keys.pack(id),
    queryFn: ({ signal }) => read(api.GET('/api/packs/{id}', { params: { path: { id } }, signal })),
  })
}

/** A pack with its odds and showcase. */
export function usePack(id: string) {
  return useQuery(packQuery(id))
}
