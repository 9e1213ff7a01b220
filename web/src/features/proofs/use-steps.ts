import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { commitmentQuery } from '@/api/fairness'
import { openQuery, useLatestOpens } from '@/api/opens'
import type { Opening } from '@/contract/types'
import { toHex } from '@/lib/protocol/bytes'
import { parseOpenLeaf } from '@/lib/protocol/leaf'
import { type ReplacedKey, signerOf, trustedKeys } from '@/lib/protocol/replaced-keys'
import type { Claim, Proof } from '@/lib/protocol/report'
import { verifyProof } from '@/lib/protocol/verify'
import { announcedBy } from '@/lib/protocol/verify-log'
import { seenCommitment } from '@/lib/seen-commitments'
import { useSignedIn, useSession } from '@/lib/session'
import { useLogKeys } from './use-log-keys'
import type { ProofBundle } from './use-proof-bundle'

/** What this browser and the signed-in user know about an open, independently of its proof. */
interface LocalEvidence {
  publishedKey: string | undefined
  replacedKeys: readonly ReplacedKey[] | undefined
  /** The user's own open, as the server showed it. */
  shown: Claim | undefined
  shownCommitment: string | undefined
  /** The receipt of the user's previous open. */
  previousReceipt: string | undefined
  nextCommitment: string | undefined
}

/** The open with this id, if it's among the user's latest. */
export function useOwnOpening(openId: string | undefined): Opening | undefined {
  return useLatestOpens().data?.find((opening) => opening.openId === openId)
}

/** Anything that can't be fetched stays undefined. */
function useLocalEvidence(proof: Proof, shown: Opening | undefined): { evidence: LocalEvidence; pending: boolean } {
  const { status } = useSession()
  const keys = useLogKeys(proof.receipt)
  const opens = useLatestOpens()
  const commitment = useQuery({ ...commitmentQuery, enabled: useSignedIn() })
  const leaf = parseOpenLeaf(proof.leaf)
  const own = shown ?? opens.data?.find(({ openId }) => openId === leaf?.id)
  const neighbor = (offset: number) => (own ? opens.data?.find(({ nonce }) => nonce === own.nonce + offset) : undefined)
  const unusedCommitment = own && commitment.data?.nonce === own.nonce + 1 ? commitment.data.commitment : undefined
  const shownCommitment = leaf ? seenCommitment(leaf.id) : undefined
  const previous = useQuery(openQuery(shownCommitment ? undefined : neighbor(-1)?.openId))
  return {
    evidence: {
      publishedKey: keys.published,
      replacedKeys: keys.replaced,
      shown: own,
      shownCommitment,
      previousReceipt: previous.data?.receipt,
      nextCommitment: neighbor(1)?.commitment ?? unusedCommitment,
    },
    pending: status === 'loading' || keys.isLoading || opens.isLoading || previous.isLoading || commitment.isFetching,
  }
}

async function verify({ proof, manifest }: ProofBundle, { previousReceipt, ...known }: LocalEvidence) {
  const trusted = await trustedKeys(known.publishedKey ?? proof.logKey ?? '', known.replacedKeys ?? [])
  const shownCommitment =
    known.shownCommitment ??
    (previousReceipt && (await announcedBy(previousReceipt, signerOf(previousReceipt, trusted))))
  const evidence = { ...known, manifest, shownCommitment: shownCommitment || undefined }
  const knownEvidence = Object.entries(evidence).filter(([, value]) => value !== undefined)
  return verifyProof(proof, Object.fromEntries(knownEvidence))
}

/** Verifies a proof with this browser's evidence. Works offline. */
export function useSteps(bundle: ProofBundle, shown?: Opening) {
  const { evidence, pending } = useLocalEvidence(bundle.proof, shown)
  const { proof, manifest } = bundle
  const table = useMemo(() => manifest && toHex(manifest), [manifest])
  const steps = useQuery({
    queryKey: ['verification', proof, table, evidence],
    queryFn: () => verify(bundle, evidence),
    enabled: !pending,
    networkMode: 'always',
    gcTime: 0,
    // Keep showing the steps while the leaf is being added to the log.
    placeholderData: (previous) => previous,
  })
  return steps
}
