import { maxRetries, retryAfterMs } from '@/api/act'
import type { OpenResult } from '@/contract/types'
import { type ApiError, unanswered } from '@/contract/error'
import type { Step } from '@/lib/protocol/report'
import type { Attempt } from './attempt'

/** What the server did that it must never do. */
export type Fault =
  | { kind: 'receipt'; steps: readonly Step[] }
  /** It refused a commitment as used, but no open of the user used it. */
  | { kind: 'unused-commitment' }
  /** It drew a pack at once that was to be drawn with a later round. */
  | { kind: 'not-sealed' }
  /** The draw of an order failed verification. */
  | { kind: 'draw'; steps: readonly Step[] }

/** Why a run ended early, or what is to be said about its last open. */
export type Stop =
  | { kind: 'refused'; error: Error }
  /** A request had no answer, and the page no longer repeats it. The pack may have been opened. */
  | { kind: 'unanswered'; error: Error }
  /** Another tab has already shown the last open, which had the same request. */
  | { kind: 'repeated' }
  /** The public data for checking the last receipt couldn't be loaded. */
  | { kind: 'unchecked' }
  | { kind: 'fault'; fault: Fault }
  /** The user ended it. */
  | { kind: 'left' }

/**
 * `sending`: a request is in flight. `waiting`: it had no answer and is repeated soon. `checking`: its receipt is being
 * checked. `searching`: the pull history is searched for the open that used the commitment. `drawing`: no further pack is
 * ordered; the draws of the orders are awaited. `proving`: all have arrived and are being checked.
 */
export type RunPhase = 'sending' | 'waiting' | 'checking' | 'searching' | 'drawing' | 'proving' | 'ended'

/** Several ordinary opens, one after another. Those of sealed packs are ordered first, and drawn later. */
export interface Run {
  quantity: number
  phase: RunPhase
  /** The open in progress, or the last one. */
  attempt: Attempt
  /** Opens whose answer has arrived. */
  opened: readonly OpenResult[]
  /** How often the current request had no answer. */
  lost: number
  /** The user wants no further pack. */
  leaving: boolean
  /** Another tab has already shown the last open. */
  repeated: boolean
  /** The error of a refusal while the history is searched. */
  refusal: Error | null
  /** Null if all packs were opened and nothing was wrong. */
  stop: Stop | null
  /** Times of the orders, in milliseconds of `performance.now()`. Null without a pending order. */
  orders: OrderTimes | null
}

export interface OrderTimes {
  /** When the first answer arrived. */
  from: number
  /** When the beacon publishes the last round. */
  roundAt: number
  /** When to ask for the draws. */
  pollAt: number
  /** A draw is late. Those that have arrived are shown without it. */
  late: boolean
}

export type RunEvent =
  | { type: 'answered'; result: OpenResult; repeated: boolean; at: number }
  | { type: 'failed'; error: Error }
  | { type: 'repeat' }
  /** The receipt was checked; `next` is the attempt for the next open, made after the check. */
  | { type: 'checked'; fault: Fault | null; next: Attempt | null }
  | { type: 'unchecked' }
  | { type: 'searched'; used: boolean | undefined }
  /** Current states of pending orders; none if the server couldn't be reached. */
  | { type: 'drawn'; results: readonly Signed[]; at: number }
  | { type: 'proved'; stop: Stop | null }
  | { type: 'leave' }

export function startRun(attempt: Attempt, quantity: number): Run {
  return {
    quantity,
    phase: 'sending',
    attempt,
    opened: [],
    lost: 0,
    leaving: false,
    repeated: false,
    refusal: null,
    stop: null,
    orders: null,
  }
}

/** An open as the server shows it later: without the balance and the next commitment. */
export type Signed = Omit<OpenResult, 'balanceCents' | 'next'>

/** Orders that are neither drawn nor refunded. */
export const pendingOrders = ({ opened }: Pick<Run, 'opened'>) => opened.filter(({ state }) => state === 'sealed')

/** How late the draws may be before those that have arrived are shown without the others, in milliseconds. */
export const lateAfterMs = 4000

/** Milliseconds between two questions for a late draw. */
const latePollMs = 5000

/** Whether no further answer is expected, so that the results can be shown. */
export function isOver(run: Run): boolean {
  const { phase, opened, quantity } = run
  if (phase === 'ended' || phase === 'proving') return true
  return opened.length === quantity && pendingOrders(run).length === 0
}

/** Whether there is something to show: all results, or all but late ones. */
export function isShowable(run: Run): boolean {
  return isOver(run) || (run.orders?.late === true && run.opened.some(({ state }) => state === 'open'))
}

/** Whether no further pack is opened or ordered, and all receipts were checked. */
export function isPlaced({ phase }: Run): boolean {
  return phase === 'drawing' || phase === 'proving' || phase === 'ended'
}

/** Whether the current open's outcome is unknown. */
export function isUnknown({ phase, lost, stop }: Run): boolean {
  return stop?.kind === 'unanswered' || (lost > 0 && (phase === 'sending' || phase === 'waiting'))
}

/** Packs that were neither opened nor may have been. */
export function unopened(run: Run): number {
  return run.quantity - run.opened.length - (isUnknown(run) ? 1 : 0)
}

/** Milliseconds before a request without an answer is repeated. */
export function repeatDelay({ lost }: Pick<Run, 'lost'>): number {
  return Math.min(retryAfterMs * 2 ** Math.max(0, lost - maxRetries), 5000)
}

export function runReducer(run: Run, event: RunEvent): Run {
  if (event.type === 'leave') return leave(run)
  switch (run.phase) {
    case 'sending':
      return afterSending(run, event)
    case 'waiting':
      return event.type === 'repeat' ? { ...run, phase: 'sending' } : run
    case 'checking':
      return afterCheck(run, event)
    case 'searching':
      return event.type === 'searched' ? afterSearch(run, event.used) : run
    case 'drawing':
      return event.type === 'drawn' ? afterDraws(run, event.results, event.at) : run
    case 'proving':
      return event.type === 'proved' ? { ...run, phase: 'ended', stop: event.stop ?? run.stop } : run
    case 'ended':
      return run
  }
}

/** Ends the run, or awaits the draws of its orders. After a fault, they are only in the pull history. */
function end(run: Run, stop: Stop | null): Run {
  const waits = stop?.kind !== 'fault' && pendingOrders(run).length > 0
  return { ...run, phase: waits ? 'drawing' : 'ended', stop }
}

/** Orders are polled at once, after the last one's round. */
function timesOf({ orders }: Run, { state, order }: OpenResult, at: number): OrderTimes | null {
  if (state !== 'sealed' || !order) return orders
  return {
    from: orders?.from ?? at,
    roundAt: Math.max(orders?.roundAt ?? 0, at + order.roundInMs),
    pollAt: Math.max(orders?.pollAt ?? 0, at + (order.pollAfterMs ?? order.roundInMs)),
    late: false,
  }
}

function afterDraws(run: Run, results: readonly Signed[], at: number): Run {
  const settled = new Map(results.map((result) => [result.openId, result]))
  const opened = run.opened.map((before) => ({ ...before, ...settled.get(before.openId) }))
  const pending = pendingOrders({ opened })
  if (pending.length === 0) return { ...run, opened, phase: 'proving' }
  const orders = run.orders && {
    ...run.orders,
    late: run.orders.late || at > run.orders.roundAt + lateAfterMs,
    pollAt: at + pollDelay(pending, run.orders.late),
  }
  return { ...run, opened, orders }
}

function pollDelay(pending: readonly OpenResult[], late: boolean): number {
  const asked = Math.max(...pending.map(({ order }) => order?.pollAfterMs ?? 0))
  return late ? latePollMs : Math.min(Math.max(asked, 500), latePollMs)
}

function afterSending(run: Run, event: RunEvent): Run {
  if (event.type === 'answered') {
    return {
      ...run,
      phase: 'checking',
      opened: [...run.opened, event.result],
      repeated: event.repeated,
      lost: 0,
      orders: timesOf(run, event.result, event.at),
    }
  }
  if (event.type !== 'failed') return run
  const { error } = event
  if (isOutcomeUnknown(error, run.quantity)) {
    const lost = run.lost + 1
    const gaveUp = (run.quantity === 1 || run.leaving) && lost > maxRetries
    return gaveUp ? end({ ...run, lost }, { kind: 'unanswered', error }) : { ...run, phase: 'waiting', lost }
  }
  if (codeOf(error) === 'commitment_changed') return { ...run, phase: 'searching', refusal: error }
  // After a lost answer, a refusal is about its own try only: the first one may have opened the pack.
  return end(run, run.lost > 0 ? { kind: 'unanswered', error } : { kind: 'refused', error })
}

/** A single open ends at a server error, as its dialog says what to do; a run repeats the request. */
function isOutcomeUnknown(error: Error, quantity: number): boolean {
  if (codeOf(error) === 'sealed_paused' || codeOf(error) === 'publishing') return false // nothing was charged
  return unanswered(error) || (quantity > 1 && statusOf(error) >= 500)
}

const statusOf = (error: Error) => (error as Partial<ApiError>).status ?? 0
const codeOf = (error: Error) => (error as Partial<ApiError>).code

function afterCheck(run: Run, event: RunEvent): Run {
  const complete = run.opened.length === run.quantity
  if (event.type === 'unchecked') return end(run, { kind: 'unchecked' })
  if (event.type !== 'checked') return run
  const { fault, next } = event
  if (fault) return end(run, { kind: 'fault', fault })
  // The other tab continues its own run.
  if (run.repeated) return end(run, { kind: 'repeated' })
  if (complete) return end(run, null)
  return run.leaving || !next ? end(run, { kind: 'left' }) : { ...run, phase: 'sending', attempt: next }
}

/** `used` is undefined if the history couldn't be searched. */
function afterSearch(run: Run, used: boolean | undefined): Run {
  if (used === false) return end(run, { kind: 'fault', fault: { kind: 'unused-commitment' } })
  return end(run, run.refusal && { kind: 'refused', error: run.refusal })
}

function leave(run: Run): Run {
  if (run.leaving || run.phase === 'ended') return run
  if (run.phase === 'waiting' && run.lost > maxRetries) {
    return end({ ...run, leaving: true }, { kind: 'unanswered', error: new Error('no answer') })
  }
  return { ...run, leaving: true }
}
