import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, ApiError, read } from '@/lib/api/client'
import type { OpenResult } from '@/lib/api/types'
import { mutationKeys, queryKeys } from '@/lib/query'
import { rememberSeal } from '@/lib/seals'
import { useSession } from '@/lib/session'
import { type Attempt, forgetAttempt, replaceAttempt, saveAttempt } from '../attempt'
import { commitmentKey } from './commitment'

/** How often a request that got no answer is repeated by itself, and how long it waits before that. */
const repeats = 2
const repeatAfterMs = 1000

interface Handlers {
  /** Called once for an answered open, also when the dialog is closed by then. */
  onOpened: (result: OpenResult) => void
  onFailed: (error: Error) => void
}

/**
 * Opens a pack. The same attempt may be sent any number of times: the server draws and charges once.
 * What the balance and the next seal are is read afresh in any case, since the answer may be an old one.
 */
export function useOpenPack({ onOpened, onFailed }: Handlers) {
  const queryClient = useQueryClient()
  const address = useSession().address ?? ''
  return useMutation({
    mutationKey: mutationKeys.openPack,
    mutationFn: (attempt: Attempt) => send(address, attempt),
    retry: (failures, error) => failures < repeats && isUnanswered(error),
    retryDelay: repeatAfterMs,
    // A browser that believes it is offline still gets to try: waiting in silence would look like a stuck open.
    networkMode: 'always',
    onSuccess: (result, attempt) => {
      forgetAttempt(address, attempt)
      rememberSeal(result.openId, attempt.commitment)
      onOpened(result)
    },
    onError: (error, attempt) => {
      afterRefusal(address, attempt, error)
      onFailed(error)
    },
    onSettled: () => refresh(queryClient),
  })
}

/** No word from the server: the pack may be open or not, and only asking again tells. */
export function isUnanswered(error: Error): boolean {
  if (!(error instanceof ApiError)) return false
  // An error page of something between us and the server is no word of the server's.
  return error.code === 'network' || (error.code === 'unknown' && error.status >= 500)
}

function send(address: string, attempt: Attempt): Promise<OpenResult> {
  saveAttempt(address, { ...attempt, sent: true })
  const { packId, clientSeed, commitment, manifest, idempotencyKey } = attempt
  return read(
    api.POST('/api/packs/{id}/open', {
      params: { path: { id: packId }, header: { 'Idempotency-Key': idempotencyKey } },
      body: { clientSeed, commitment, manifest },
    }),
  )
}

/** Only an answer that rules this attempt out for ever ends it. Every other failure keeps its seed. */
function afterRefusal(address: string, attempt: Attempt, error: Error): void {
  if (!(error instanceof ApiError)) return
  if (error.code === 'commitment_changed' || error.code === 'manifest_changed') {
    const { commitment, manifest } = currentTerms(error.details, attempt)
    replaceAttempt(address, { packId: attempt.packId, commitment, manifest })
  } else if (error.code === 'idempotency_mismatch') {
    forgetAttempt(address, attempt)
  }
}

function currentTerms(details: unknown, attempt: Attempt): Pick<Attempt, 'commitment' | 'manifest'> {
  const current = (details ?? {}) as Partial<Record<'commitment' | 'manifest', unknown>>
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise)
  return {
    commitment: text(current.commitment, attempt.commitment),
    manifest: text(current.manifest, attempt.manifest),
  }
}

async function refresh(queryClient: QueryClient): Promise<void> {
  const keys = [
    queryKeys.inventory,
    queryKeys.inventorySummary,
    queryKeys.activity,
    queryKeys.leaderboard,
    queryKeys.wallet,
    queryKeys.packs,
    queryKeys.opens,
    commitmentKey,
  ]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
