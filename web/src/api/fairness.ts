import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

/** The commitment for the visitor's next open. */
export function fetchCommitment(signal: AbortSignal) {
  return read(api.GET('/api/fairness/commitment', { signal }))
}

/** The same as a query that is never reused, because every open changes it. */
export const commitmentQuery = queryOptions({
  queryKey: keys.commitment,
  queryFn: ({ signal }) => fetchCommitment(signal),
  staleTime: 0,
})

const drawsPollMs = 5000

/** Totals of all draws and the log's newest checkpoint, refetched while displayed. */
export const drawsQuery = queryOptions({
  queryKey: keys.draws,
  queryFn: ({ signal }) => read(api.GET('/api/fairness/draws', { signal })),
  staleTime: drawsPollMs,
  refetchInterval: drawsPollMs,
})

export function useDraws() {
  return useQuery(drawsQuery)
}

/** The log appends waiting leaves at least once a second. */
const proofPollMs = 1000

/** The current proof of an open; of its order until it is drawn. */
export function fetchProof(openId: string, signal: AbortSignal) {
  return read(api.GET('/api/fairness/opens/{id}', { params: { path: { id: openId } }, signal }))
}

/** The proof of an open, polled until the log contains its leaf. */
export function proofQuery(openId: string) {
  return queryOptions({
    queryKey: [...keys.proofs, openId],
    queryFn: ({ signal }) => fetchProof(openId, signal),
    refetchInterval: ({ state }) => (state.data?.index === null ? proofPollMs : false),
  })
}
