import { useQuery } from '@tanstack/react-query'
import { manifestQuery } from '@/api/log'
import { proofQuery } from '@/api/fairness'
import type { Bytes } from '@/lib/protocol/bytes'
import type { Proof } from '@/lib/protocol/report'

/** A proof, and the manifest (the table of cards and odds) it was drawn with, if available. */
export interface ProofBundle {
  proof: Proof
  manifest?: Bytes
}

/** Fetches the proof and manifest of an open. Offline it fails instead of waiting, so that a receipt can be checked without them. */
export function useProofBundle(openId: string, enabled = true) {
  const proof = useQuery({ ...proofQuery(openId), networkMode: 'always', enabled })
  // Only says what to fetch. The steps check leaf and manifest.
  const hash = /^manifest ([0-9a-f]{64})$/m.exec(proof.data?.leaf ?? '')?.[1]
  const manifest = useQuery({ ...manifestQuery(hash ?? ''), networkMode: 'always', enabled: hash !== undefined })
  const ready = proof.data && (hash === undefined || manifest.data)
  return {
    data: ready
      ? ({ proof: proof.data, ...(manifest.data && { manifest: manifest.data }) } satisfies ProofBundle)
      : undefined,
    error: proof.error ?? manifest.error,
    refetch: () => (proof.error ? proof.refetch() : manifest.refetch()),
  }
}
