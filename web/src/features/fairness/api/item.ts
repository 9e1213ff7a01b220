import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'

/** What the catalogue calls a card. It proves nothing, so nobody waits for it. */
export function useItemName(id: string): string | undefined {
  return useQuery({
    queryKey: ['/api/items', id],
    queryFn: ({ signal }) => read(api.GET('/api/items/{id}', { params: { path: { id } }, signal })),
  }).data?.name
}
