import { useQuery } from '@tanstack/react-query'
import { parsePolicy } from '@/lib/protocol/witnesses'
import { trustedWitnesses } from '@/lib/trusted-witnesses'
import { useStore } from '@/lib/store'

/** The witnesses that the visitor trusts, parsed; null if none are named. */
export function useTrustedWitnesses() {
  const text = useStore(trustedWitnesses)
  return useQuery({
    queryKey: ['trusted-witnesses', text],
    queryFn: () => parsePolicy(text),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
}
