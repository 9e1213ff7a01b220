import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { prepareAct } from '@/api/act'
import { useInvalidate } from '@/api/invalidations'
import { fetchOpen, openPack, type OpenRequest } from '@/api/opens'
import { isCommitmentUsed } from '@/api/used-commitment'
import { ApiError, unanswered } from '@/contract/error'
import type { OpenResult } from '@/contract/types'
import { orderReceipt, saveOrderReceipt } from '@/lib/order-receipts'
import { saveSeenCommitment, seenCommitment } from '@/lib/seen-commitments'
import { useSession } from '@/lib/session'
import { type Attempt, forgetAttempt, replaceAttempt, requestOf, saveAttempt, type Terms } from './attempt'
import { holdOpen, releaseOpen } from './open-lock'
import type { Fault, Run, Signed } from './run'
import { performRun, type RunControl, type RunPorts } from './run-driver'
import { publicData } from './public-data'
import { keepUnshown } from './unshown'

/** Called even if the component has unmounted by then. */
interface Handlers {
  onChange: (run: Run) => void
  /** There is something to show: all results, or all but late ones. The last receipt may still be in check. */
  onShowable: (run: Run) => void
  /** No further answer or draw is expected. Called after `onShowable`. */
  onOver: (run: Run) => void
  /** The last receipt was checked, too. Called after `onOver`. */
  onEnded: (run: Run) => void
}

type PerformRun = (attempt: Attempt, quantity: number, handlers: Handlers) => RunControl

const runs = new WeakMap<QueryClient, Promise<unknown>>()

/** Resolves once this page has checked the receipts of all its runs. A client seed is made only after that. */
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
    mutationFn: ({ control }: Started) => control.placed,
    // Also after a refusal: the displayed data may be outdated.
    onSettled: refresh,
  })
  return (attempt, quantity, { onChange, onShowable, onOver, onEnded }) => {
    const control = performRun(attempt, quantity, portsOf(address, queryClient), onChange)
    void mutateAsync({ packId: attempt.packId, control })
    const over = control.showable
      .then(onShowable)
      .then(() => control.over)
      .then((run) => {
        onOver(run)
        if (run.opened.some(({ order }) => order)) void refresh()
      })
    void Promise.all([control.ended, over]).then(([run]) => onEnded(run))
    runs.set(queryClient, Promise.all([runs.get(queryClient), control.checked]))
    return control
  }
}

interface Started {
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
    nextAttempt: ({ packId, manifest, sealed }, { next, createdAt }) => ({
      ...replaceAttempt(address, { packId, manifest, ...next, lockedAt: Date.parse(createdAt) }),
      ...(sealed && { sealed }),
    }),
    draw: fetchOpen,
    prove: (result) => checkDraw(queryClient, result),
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
    if (result.state === 'sealed') saveOrderReceipt(result.openId, result.receipt)
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
  } else if (error.code === 'idempotency_mismatch' || error.code === 'sealed_pack') {
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
  if (attempt.sealed && !result.order) return { kind: 'not-sealed' }
  // A repeated request may find the order settled.
  if (result.order && result.state !== 'sealed') return checkDraw(queryClient, result)
  const [{ verifyOpen, verifyOrder }, known] = await publicData(queryClient, attempt.manifest, result)
  const verify = result.order ? verifyOrder : verifyOpen
  const steps = await verify(requestOf(attempt), result, known)
  return steps.length > 0 ? { kind: 'receipt', steps } : null
}

/** Checks the draw of an order. A refunded order has none. */
async function checkDraw(queryClient: QueryClient, result: Signed): Promise<Fault | null> {
  const ordered = orderReceipt(result.openId)
  if (result.state !== 'open' || ordered === undefined) return null
  const { packId, clientSeed, commitment, manifestHash: manifest } = result
  const [{ verifyDraw }, known] = await publicData(queryClient, manifest, result, ordered)
  const steps = await verifyDraw({ packId, clientSeed, commitment, manifest }, result, ordered, known)
  return steps.length > 0 ? { kind: 'draw', steps } : null
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
