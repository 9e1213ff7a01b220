import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

/** The seal of the visitor's next open. */
export function fetchCommitment(signal: AbortSignal) {
  return read(api.GET('/api/fairness/commitment', { signal }))
}

/** The same, read afresh each time: every open changes it. */
export const commitmentQuery = queryOptions({
  queryKey: keys.commitment,
  queryFn: ({ signal }) => fetchCommitment(signal),
  staleTime: 0,
})
