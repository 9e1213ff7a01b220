import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchCommitment } from '@/api/fairness'
import { keys } from '@/api/keys'
import type { Pack } from '@/contract/types'
import { serverNow } from '@/lib/server-clock'
import { useSession } from '@/lib/session'
import { type Attempt, prepareAttempt, saveAttempt } from './attempt'
import { runsEnded } from './use-run'

/**
 * The commitment and the attempt for it. Never cached, because another tab may have used the commitment. The seed is
 * generated only after the commitment has arrived, and after the receipts of earlier opens were checked.
 */
function attemptQuery(address: string, pack: Pick<Pack, 'id' | 'manifestHash'>) {
  return queryOptions({
    queryKey: [...keys.commitment, address, pack.id, pack.manifestHash],
    queryFn: async ({ client, signal }): Promise<Attempt> => {
      await runsEnded(client)
      const { commitment, nonce } = await fetchCommitment(signal)
      const terms = { packId: pack.id, commitment, manifest: pack.manifestHash, nonce, lockedAt: serverNow() }
      return prepareAttempt(address, terms)
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** The attempt to start with; undefined while the commitment loads. */
export function useAttempt(pack: Pick<Pack, 'id' | 'manifestHash'>, enabled: boolean) {
  const { address, walletMismatch } = useSession()
  const { data, isFetching, error, refetch } = useQuery({
    ...attemptQuery(address ?? '', pack),
    enabled: enabled && address !== null && !walletMismatch,
  })
  // The typed seed is local state: updates through the query cache are too late for a text field.
  const [edited, setEdited] = useState<{ of: Attempt; attempt: Attempt }>()
  const editable = data !== undefined && !data.sent
  const attempt = editable && edited?.of === data ? edited.attempt : data
  function setSeed(clientSeed: string) {
    if (!editable || !address) return
    const next = { ...data, clientSeed }
    saveAttempt(address, next)
    setEdited({ of: data, attempt: next })
  }
  return { attempt: isFetching ? undefined : attempt, error: isFetching ? null : error, refetch, setSeed }
}
