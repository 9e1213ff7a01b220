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
 * checked. `searching`: the pull history is searched for the open that used the commitment.
 */
export type RunPhase = 'sending' | 'waiting' | 'checking' | 'searching' | 'ended'

/** Several ordinary opens, one after another. */
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
}

export type RunEvent =
  | { type: 'answered'; result: OpenResult; repeated: boolean }
  | { type: 'failed'; error: Error }
  | { type: 'repeat' }
  /** The receipt was checked; `next` is the attempt for the next open, made after the check. */
  | { type: 'checked'; fault: Fault | null; next: Attempt | null }
  | { type: 'unchecked' }
  | { type: 'searched'; used: boolean | undefined }
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
  }
}

/** Whether no further answer is expected, so that the results can be shown. */
export function isOver({ phase, opened, quantity }: Run): boolean {
  return phase === 'ended' || opened.length === quantity
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
    case 'ended':
      return run
  }
}

function end(run: Run, stop: Stop | null): Run {
  return { ...run, phase: 'ended', stop }
}

function afterSending(run: Run, event: RunEvent): Run {
  if (event.type === 'answered') {
    return { ...run, phase: 'checking', opened: [...run.opened, event.result], repeated: event.repeated, lost: 0 }
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
