import { skipToken, useQuery } from '@tanstack/react-query'
import { serverNow } from '@/lib/server-clock'
import { useSignedIn } from '@/lib/session'
import { keys } from './keys'
import { fetchPlayResults, type Limits } from './limits'

/** What the visitor's tightest loss limit still allows; undefined without limits or before they are loaded. Reads the cache only. */
export function useLossLeft(): number | undefined {
  return useQuery({ queryKey: keys.limits, queryFn: skipToken, select: lossLeft }).data
}

function lossLeft({ limits }: Limits): number | undefined {
  const left = limits.flatMap(({ limit, leftCents }) =>
    limit.startsWith('loss-') && leftCents !== null ? [leftCents] : [],
  )
  return left.length > 0 ? Math.min(...left) : undefined
}

/** What the visitor opened and spent since midnight UTC, for house rules on days; undefined unless needed. */
export function useTodaysOpens(needed: boolean) {
  const since = `${new Date(serverNow()).toISOString().slice(0, 10)}T00:00:00Z`
  return useQuery({
    queryKey: [...keys.figures, since],
    queryFn: ({ signal }) => fetchPlayResults(since, signal),
    staleTime: 0,
    enabled: useSignedIn() && needed,
  }).data
}
