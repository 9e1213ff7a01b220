import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'
import { useSession } from '@/lib/session'

const inventoryQuery = queryOptions({
  queryKey: queryKeys.inventory,
  queryFn: ({ signal }) => read(api.GET('/api/inventory/me', { signal })),
})

export function useInventory() {
  const { status, frozen } = useSession()
  return useQuery({ ...inventoryQuery, enabled: status === 'signed-in' && !frozen })
}
