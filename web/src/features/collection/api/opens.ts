import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'
import { useSession } from '@/lib/session'

const opensQuery = queryOptions({
  queryKey: queryKeys.opens,
  queryFn: ({ signal }) => read(api.GET('/api/opens', { signal })),
})

/** Everything the visitor ever opened, newest first. */
export function useOpens() {
  const { status, frozen } = useSession()
  return useQuery({ ...opensQuery, enabled: status === 'signed-in' && !frozen })
}
