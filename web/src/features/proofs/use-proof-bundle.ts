import { useQuery } from '@tanstack/react-query'
import { manifestQuery } from '@/api/log'
import { proofQuery } from '@/api/fairness'
import type { Bytes } from '@/lib/protocol/bytes'
import type { Proof } from '@/lib/protocol/report'

/** What is to be checked: a proof, and the table it was drawn with if that is at hand. */
export interface Case {
  proof: Proof
  manifest?: Bytes
}

/** The case of an open, from this site. A browser without a network is to say so: a receipt is checked without it. */
export function useCase(openId: string, enabled = true) {
  const proof = useQuery({ ...proofQuery(openId), networkMode: 'always', enabled })
  // Only where to fetch it from: whether leaf and table are what they should be is for the steps to judge.
  const hash = /^manifest ([0-9a-f]{64})$/m.exec(proof.data?.leaf ?? '')?.[1]
  const manifest = useQuery({ ...manifestQuery(hash ?? ''), networkMode: 'always', enabled: hash !== undefined })
  const ready = proof.data && (hash === undefined || manifest.data)
  return {
    data: ready ? ({ proof: proof.data, ...(manifest.data && { manifest: manifest.data }) } satisfies Case) : undefined,
    error: proof.error ?? manifest.error,
    refetch: () => (proof.error ? proof.refetch() : manifest.refetch()),
  }
}
