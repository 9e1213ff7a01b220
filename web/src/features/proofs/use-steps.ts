import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { commitmentQuery } from '@/api/fairness'
import { beaconQuery, firstEntryQuery } from '@/api/log'
import { openQuery, useLatestOpens } from '@/api/opens'
import type { Opening } from '@/contract/types'
import { type Bytes, toHex } from '@/lib/protocol/bytes'
import type { Chain } from '@/lib/protocol/beacon'
import { orderReceipt } from '@/lib/order-receipts'
import { parseManifest } from '@/lib/protocol/manifest'
import { keptCommitments, parseEpochLeaf, type ReplacedKey, signerOf, trustedKeys } from '@/lib/protocol/replaced-keys'
import type { Claim } from '@/lib/protocol/report'
import type { Policy } from '@/lib/protocol/witnesses'
import { verifyProof } from '@/lib/protocol/verify'
import { announcedBy } from '@/lib/protocol/verify-log'
import { useTrustedWitnesses } from '@/api/trusted-witnesses'
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
  logBegan: string | undefined
  /** The receipt of a sealed open's order. */
  orderReceipt: string | undefined
  /** The manifest's beacon. */
  beacon: Chain | undefined
  witnesses: Policy | undefined
}

/** The open with this id, if it's among the user's latest. */
export function useOwnOpening(openId: string | undefined): Opening | undefined {
  return useLatestOpens().data?.find((opening) => opening.openId === openId)
}

/** Anything that can't be fetched stays undefined. */
function useLocalEvidence(
  { proof, manifest }: ProofBundle,
  shown: Opening | undefined,
): { evidence: LocalEvidence; pending: boolean } {
  const { status } = useSession()
  const opens = useLatestOpens()
  const commitment = useQuery({ ...commitmentQuery, enabled: useSignedIn() })
  // Only says what to fetch.
  const id = /^id ([a-z0-9-]{1,64})$/m.exec(proof.leaf)?.[1]
  const own = shown ?? opens.data?.find(({ openId }) => openId === id)
  const ordered = id === undefined ? undefined : orderReceipt(id)
  const inProof = proof.order?.receipt
  const keys = useLogKeys(proof.receipt, ...[ordered, inProof].filter((receipt) => receipt !== undefined))
  const neighbor = (offset: number) => (own ? opens.data?.find(({ nonce }) => nonce === own.nonce + offset) : undefined)
  const unusedCommitment = own && commitment.data?.nonce === own.nonce + 1 ? commitment.data.commitment : undefined
  const shownCommitment = id === undefined ? undefined : seenCommitment(id)
  const previousId = shownCommitment ? undefined : neighbor(-1)?.openId
  const previousOrder = previousId && orderReceipt(previousId)
  const previous = useQuery(openQuery(previousOrder ? undefined : previousId))
  const beaconHash = useMemo(() => manifest && beaconOf(manifest), [manifest])
  const witnesses = useTrustedWitnesses()
  const beacon = useQuery({ ...beaconQuery(beaconHash ?? ''), enabled: beaconHash !== undefined })
  const nextCommitment = neighbor(1)?.commitment ?? unusedCommitment
  const announced = /^next ([0-9a-f]{64})$/m.exec(ordered ?? proof.order?.leaf ?? proof.leaf)?.[1]
  // Copies of orders that a restored log began with don't show that they are older than it.
  const isOther = nextCommitment !== undefined && announced !== undefined && announced !== nextCommitment
  const begin = useQuery({ ...firstEntryQuery, enabled: isOther })
  return {
    evidence: {
      publishedKey: keys.published,
      replacedKeys: keys.replaced,
      shown: own,
      shownCommitment,
      previousReceipt: previousOrder ?? previous.data?.receipt,
      nextCommitment,
      logBegan: begin.data && parseEpochLeaf(begin.data)?.time,
      orderReceipt: ordered,
      beacon: beacon.data,
      witnesses: witnesses.data ?? undefined,
    },
    pending:
      status === 'loading' ||
      keys.isLoading ||
      opens.isLoading ||
      previous.isLoading ||
      begin.isLoading ||
      beacon.isLoading ||
      witnesses.isLoading ||
      commitment.isFetching,
  }
}

/** The beacon that a manifest names; undefined for an instant pack. */
function beaconOf(manifest: Bytes): string | undefined {
  try {
    return parseManifest(manifest).sealing?.beacon
  } catch {
    return undefined
  }
}

async function verify({ proof, manifest }: ProofBundle, local: LocalEvidence) {
  const { previousReceipt, ...known } = local
  const shownCommitment =
    known.shownCommitment ?? (previousReceipt && (await announcedIn(previousReceipt, local, proof.logKey ?? '')))
  const evidence = { ...known, manifest, shownCommitment: shownCommitment || undefined }
  const knownEvidence = Object.entries(evidence).filter(([, value]) => value !== undefined)
  return verifyProof(proof, Object.fromEntries(knownEvidence))
}

/** The next commitment in a receipt. Null if the log has another name since: a restore replaces all unused commitments. */
async function announcedIn(receipt: string, { publishedKey, replacedKeys = [] }: LocalEvidence, logKey: string) {
  const trusted = await trustedKeys(publishedKey ?? logKey, replacedKeys)
  const signer = await signerOf(receipt, trusted)
  return keptCommitments(signer, trusted, replacedKeys) ? announcedBy(receipt, signer) : null
}

/** Verifies a proof with this browser's evidence. Works offline. */
export function useSteps(bundle: ProofBundle, shown?: Opening) {
  const { evidence, pending } = useLocalEvidence(bundle, shown)
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
