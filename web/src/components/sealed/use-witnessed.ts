import { queryOptions, useQuery } from '@tanstack/react-query'
import { checkpointUrl, fetchText } from '@/api/log'
import { config } from '@/lib/config'

const retryMs = 1000
const maxTries = 5

/**
 * Whether the newest checkpoint has cosignatures, which the log only has with witnesses in force. A busy log serves some
 * checkpoints before their cosignatures arrive, so a few are fetched. Witnesses can be replaced, but not abolished.
 */
const witnessedQuery = queryOptions({
  queryKey: ['witnessed'],
  queryFn: async ({ signal }) => {
    const [text, { isCosigned }] = await Promise.all([
      fetchText(checkpointUrl, signal),
      import('@/lib/protocol/cosignature'),
    ])
    return isCosigned(text)
  },
  staleTime: ({ state }) => (state.data === true ? Number.POSITIVE_INFINITY : retryMs * maxTries),
  refetchInterval: ({ state }) => (state.data === false && state.dataUpdateCount < maxTries ? retryMs : false),
  retry: false,
})

/** Whether the log has witnesses; undefined if unknown, or in a sandbox, whose draws prove nothing about insiders. */
export function useWitnessed(): boolean | undefined {
  return useQuery({ ...witnessedQuery, enabled: !config.sandbox }).data
}
