import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

/** How often to look whether the log has taken a leaf in; it does so at least once a second. */
const placedAfterMs = 1000

/** The proof of an open. Until the leaf has its place in the log it is asked for again and again. */
export function proofQuery(openId: string) {
  return queryOptions({
    queryKey: [...keys.proofs, openId],
    queryFn: ({ signal }) => read(api.GET('/api/fairness/opens/{id}', { params: { path: { id: openId } }, signal })),
    refetchInterval: ({ state }) => (state.data?.index === null ? placedAfterMs : false),
  })
}
