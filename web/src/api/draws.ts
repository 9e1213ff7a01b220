import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

const refreshedAfterMs = 5000

/** The public books of all draws, with the log's newest checkpoint. Kept fresh while it is looked at. */
export const drawsQuery = queryOptions({
  queryKey: keys.draws,
  queryFn: ({ signal }) => read(api.GET('/api/fairness/draws', { signal })),
  staleTime: refreshedAfterMs,
  refetchInterval: refreshedAfterMs,
})

export function useDraws() {
  return useQuery(drawsQuery)
}
