import { useQueries, useQueryClient } from '@tanstack/react-query'
import { fetchProof } from '@/api/fairness'
import { useWitnesses } from '@/api/trusted-witnesses'
import { publicData } from './public-data'
import type { Run } from './run'

const pollMs = 500

/**
 * Returns the whole seconds by which a quorum saw the orders before their rounds; the smallest of all orders. Uses the
 * visitor's witnesses, or else the log's. Null until proven. Polls until the last round and never delays the reveal.
 */
export function useFixed(run: Run | null): number | null {
  const client = useQueryClient()
  const policy = useWitnesses(run?.orders != null).data
  const isComplete = run?.phase === 'drawing' || run?.quantity === 1
  const orders = isComplete && policy ? run.opened.filter(({ state, order }) => state === 'sealed' && order) : []
  const roundAt = run?.orders?.roundAt ?? 0
  return useQueries({
    queries: orders.map((order) => ({
      queryKey: ['fixed', order.openId],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const [proof, [, known], { fixedSeconds }] = await Promise.all([
          fetchProof(order.openId, signal),
          publicData(client, order.manifestHash, order),
          import('@/lib/protocol/verify-fixed'),
        ])
        return policy ? fixedSeconds(order.receipt, proof, known, policy) : null
      },
      refetchInterval: ({ state }: { state: { data: number | null | undefined } }) =>
        typeof state.data !== 'number' && performance.now() < roundAt ? pollMs : false,
      retry: false,
      gcTime: 0,
    })),
    combine: (results) => {
      const seconds = results.map(({ data }) => data)
      return seconds.length > 0 && seconds.every((one) => typeof one === 'number') ? Math.min(...seconds) : null
    },
  })
}
