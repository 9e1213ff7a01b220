import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { prepareAct } from '@/api/act'
import { useInvalidate } from '@/api/invalidations'
import { logKeyQuery, manifestQuery, replacedKeysQuery } from '@/api/log'
import { openPack, type OpenRequest } from '@/api/opens'
import { isCommitmentUsed } from '@/api/used-commitment'
import { ApiError, unanswered } from '@/contract/error'
import type { OpenResult } from '@/contract/types'
import { saveSeenCommitment, seenCommitment } from '@/lib/seen-commitments'
import { useSession } from '@/lib/session'
import { type Attempt, forgetAttempt, replaceAttempt, requestOf, saveAttempt, type Terms } from './attempt'
import { holdOpen, releaseOpen } from './open-lock'
import type { Fault, Run } from './run'
import { performRun, type RunControl, type RunPorts } from './run-driver'
import { keepUnshown } from './unshown'

/** Called even if the component has unmounted by then. */
interface Handlers {
  onChange: (run: Run) => void
  /** No further answer is expected. The last receipt may still be in check. */
  onOver: (run: Run) => void
  /** The last receipt was checked, too. Called after `onOver`. */
  onEnded: (run: Run) => void
}

type PerformRun = (attempt: Attempt, quantity: number, handlers: Handlers) => RunControl

const runs = new WeakMap<QueryClient, Promise<unknown>>()

/** Resolves once all runs of this page have ended. A client seed is made only after the last receipt was checked. */
export async function runsEnded(client: QueryClient): Promise<void> {
  await runs.get(client)
}

/** Opens packs one after another. The data is refreshed once, at the end. */
export function useRun(): PerformRun {
  const address = useSession().address ?? ''
  const queryClient = useQueryClient()
  const refresh = useInvalidate('open')
  const { mutateAsync } = useMutation({
    mutationKey: ['open'],
    mutationFn: ({ control }: Started) => control.over,
    onSuccess: (run, { onOver }) => onOver(run),
    // Also after a refusal: the displayed data may be outdated.
    onSettled: refresh,
  })
  return (attempt, quantity, { onChange, onOver, onEnded }) => {
    const control = performRun(attempt, quantity, portsOf(address, queryClient), onChange)
    const over = mutateAsync({ packId: attempt.packId, control, onOver })
    void Promise.all([control.ended, over]).then(([run]) => onEnded(run))
    runs.set(queryClient, Promise.all([runs.get(queryClient), control.ended]))
    return control
  }
}

interface Started extends Pick<Handlers, 'onOver'> {
  packId: string
  control: RunControl
}

function portsOf(address: string, queryClient: QueryClient): RunPorts {
  return {
    prepareSend(attempt) {
      const act = prepareAct({ address, act: 'open', body: requestOf(attempt), send: openPack })
      return () => send(address, attempt, act)
    },
    check: (attempt, result) => checkReceipt(queryClient, attempt, result),
    nextAttempt: ({ packId, manifest }, { next, createdAt }) =>
      replaceAttempt(address, { packId, manifest, ...next, lockedAt: Date.parse(createdAt) }),
    wasUsed: ({ commitment, nonce }) => isCommitmentUsed(commitment, nonce),
    wait: waitOnline,
  }
}

/** Repeating a request is safe: the server draws and charges once. The attempt is kept until a response. */
async function send(address: string, attempt: Attempt, act: () => Promise<OpenResult>) {
  saveAttempt(address, { ...attempt, sent: true })
  holdOpen(attempt.commitment)
  try {
    const result = await act()
    forgetAttempt(address, attempt)
    const seen = seenCommitment(result.openId)
    // A server that repeats another open contradicts what this browser saw. The check of its receipt reports it.
    if (seen === undefined) saveSeenCommitment(result.openId, attempt.commitment, attempt.lockedAt)
    keepUnshown(address, result)
    return { result, repeated: seen === attempt.commitment }
  } catch (error) {
    if (!unanswered(error)) releaseOpen(attempt.commitment)
    afterRefusal(address, attempt, error)
    throw error
  }
}

/** Discards the attempt only if the server can never accept it. Other failures keep its seed for a retry. */
function afterRefusal(address: string, request: OpenRequest, error: unknown): void {
  if (!(error instanceof ApiError)) return
  if (error.code === 'commitment_changed' || error.code === 'manifest_changed') {
    forgetAttempt(address, request)
    replaceAttempt(address, { packId: request.packId, ...currentTerms(error.details, request) })
  } else if (error.code === 'idempotency_mismatch') {
    forgetAttempt(address, request)
  }
}

function currentTerms(details: unknown, request: OpenRequest): Omit<Terms, 'packId'> {
  const current = (details ?? {}) as Partial<Record<'commitment' | 'manifest' | 'nonce', unknown>>
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise)
  return {
    commitment: text(current.commitment, request.commitment),
    manifest: text(current.manifest, request.manifest),
    ...(typeof current.nonce === 'number' && { nonce: current.nonce }),
  }
}

/** Rejects if the key or the manifest can't be loaded. */
async function checkReceipt(queryClient: QueryClient, attempt: Attempt, result: OpenResult): Promise<Fault | null> {
  const [{ verifyOpen }, manifest, keys] = await Promise.all([
    import('@/lib/protocol/verify-open'),
    queryClient.ensureQueryData(manifestQuery(attempt.manifest)),
    logKeys(queryClient, result.receipt),
  ])
  const steps = await verifyOpen(requestOf(attempt), result, { manifest, ...keys })
  return steps.length > 0 ? { kind: 'receipt', steps } : null
}

/** The published log key. If it didn't sign the receipt, the key may have been replaced since it was loaded. */
async function logKeys(queryClient: QueryClient, receipt: string) {
  const known = await queryClient.ensureQueryData(logKeyQuery)
  if (receipt.includes(`\n— ${known.split('+', 1)[0]} `)) return { publishedKey: known, replacedKeys: [] }
  const [publishedKey, replacedKeys] = await Promise.all([
    queryClient.fetchQuery({ ...logKeyQuery, staleTime: 0 }),
    queryClient.fetchQuery({ ...replacedKeysQuery, staleTime: 0 }),
  ])
  return { publishedKey, replacedKeys }
}

/** Waits, but not longer than until the browser is online again. */
function waitOnline(ms: number, early: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    function done() {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    void early.then(done)
  })
}
