import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSignedIn } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'

/** Value and cost of the visitor's collection on each day (UTC), by default the last 30, and the day of the first item. */
export function useCollectionValue(days: { from?: string }) {
  return useQuery({
    queryKey: [...keys.collectionValue, days],
    queryFn: ({ signal }) => read(api.GET('/api/inventory/value', { params: { query: days }, signal })),
    placeholderData: keepPreviousData,
    enabled: useSignedIn(),
  })
}
