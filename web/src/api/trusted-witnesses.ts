import { useQuery } from '@tanstack/react-query'
import { logWitnessesQuery } from '@/api/log'
import { parsePolicy } from '@/lib/protocol/witnesses'
import { trustedWitnesses } from '@/lib/trusted-witnesses'
import { useStore } from '@/lib/store'

/** The witnesses that the visitor trusts, parsed; null if none are named. */
export function useTrustedWitnesses() {
  return usePolicy(useStore(trustedWitnesses))
}

/** The visitor's witnesses or, if none are named and `orLogs` is set, the log's; null if there are none. */
export function useWitnesses(orLogs: boolean) {
  const named = useStore(trustedWitnesses)
  const chosen = useQuery({ ...logWitnessesQuery, enabled: orLogs && named === '' }).data ?? ''
  return usePolicy(named || chosen)
}

/** Witnesses and quorum from lines of text; null if they are invalid. */
export function usePolicy(text: string) {
  return useQuery({
    queryKey: ['witnesses', text],
    queryFn: () => parsePolicy(text),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
}
