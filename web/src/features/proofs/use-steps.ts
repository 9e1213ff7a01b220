import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { commitmentQuery } from '@/api/fairness'
import { logKeyQuery } from '@/api/log'
import { openQuery, useLatestOpens } from '@/api/opens'
import type { Opening } from '@/contract/types'
import { toHex } from '@/lib/protocol/bytes'
import { parseOpenLeaf } from '@/lib/protocol/leaf'
import type { Claim, Proof } from '@/lib/protocol/report'
import { verifyProof } from '@/lib/protocol/verify'
import { announcedBy } from '@/lib/protocol/verify-log'
import { savedSeal } from '@/lib/seals'
import { useSignedIn, useSession } from '@/lib/session'
import type { Case } from './use-case'

/** What this browser and this visitor know of an open besides its proof. */
interface Witness {
  publishedKey: string | undefined
  /** The visitor's own open, as the server showed it. */
  shown: Claim | undefined
  seal: string | undefined
  /** The receipt of the open before. */
  previousReceipt: string | undefined
  nextCommitment: string | undefined
}

/** The visitor's own open of this number, if it is theirs. */
export function useOwn(openId: string | undefined): Opening | undefined {
  return useLatestOpens().data?.find((opening) => opening.openId === openId)
}

/** Waits for nothing that does not come: what cannot be fetched stays unknown. */
function useWitness(proof: Proof, shown: Opening | undefined): { witness: Witness; pending: boolean } {
  const { status } = useSession()
  const key = useQuery(logKeyQuery)
  const opens = useLatestOpens()
  const seal = useQuery({ ...commitmentQuery, enabled: useSignedIn() })
  const leaf = parseOpenLeaf(proof.leaf)
  const own = shown ?? opens.data?.find(({ openId }) => openId === leaf?.id)
  const at = (step: number) => (own ? opens.data?.find(({ nonce }) => nonce === own.nonce + step) : undefined)
  const unused = own && seal.data?.nonce === own.nonce + 1 ? seal.data.commitment : undefined
  const seen = leaf ? savedSeal(leaf.id) : undefined
  const before = useQuery(openQuery(seen ? undefined : at(-1)?.openId))
  return {
    witness: {
      publishedKey: key.data,
      shown: own,
      seal: seen,
      previousReceipt: before.data?.receipt,
      nextCommitment: at(1)?.commitment ?? unused,
    },
    pending: status === 'loading' || key.isLoading || opens.isLoading || before.isLoading || seal.isFetching,
  }
}

async function verify({ proof, manifest }: Case, { seal, previousReceipt, ...known }: Witness) {
  const key = known.publishedKey ?? proof.logKey ?? ''
  const shownCommitment = seal ?? (previousReceipt && (await announcedBy(previousReceipt, key)))
  const evidence = { ...known, manifest, shownCommitment: shownCommitment || undefined }
  const given = Object.entries(evidence).filter(([, value]) => value !== undefined)
  return verifyProof(proof, Object.fromEntries(given))
}

/** Checks a case, with what is known here about it. Works without a network. */
export function useSteps(checked: Case, shown?: Opening) {
  const { witness, pending } = useWitness(checked.proof, shown)
  const { proof, manifest } = checked
  const table = useMemo(() => manifest && toHex(manifest), [manifest])
  const steps = useQuery({
    queryKey: ['verification', proof, table, witness],
    queryFn: () => verify(checked, witness),
    enabled: !pending,
    networkMode: 'always',
    gcTime: 0,
    // While the log takes the leaf in, what is known already stays on the screen.
    placeholderData: (before) => before,
  })
  return steps
}
