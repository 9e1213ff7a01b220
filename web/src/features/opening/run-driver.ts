import type { OpenResult } from '@/contract/types'
import type { Attempt } from './attempt'
import { type Fault, isOver, repeatDelay, type Run, type RunEvent, type RunPhase, runReducer, startRun } from './run'

/** What a run needs from the page. */
export interface RunPorts {
  /** Returns a function that sends the open once; all its calls use one idempotency key. */
  prepareSend: (attempt: Attempt) => () => Promise<{ result: OpenResult; repeated: boolean }>
  /** Checks an answer's receipt. Rejects if the public data for it can't be loaded. */
  check: (attempt: Attempt, result: OpenResult) => Promise<Fault | null>
  /** Makes and stores the attempt for the next open, with a new client seed. */
  nextAttempt: (attempt: Attempt, result: OpenResult) => Attempt
  /** Whether one of the user's opens used the attempt's commitment; undefined if unknown. */
  wasUsed: (attempt: Attempt) => Promise<boolean | undefined>
  /** Waits some milliseconds, or less if `early` resolves first. */
  wait: (ms: number, early: Promise<void>) => Promise<void>
}

export interface RunControl {
  /** Resolves once no further answer is expected. The last receipt may still be in check. */
  over: Promise<Run>
  /** Resolves once the last receipt was checked, too. */
  ended: Promise<Run>
  /** Opens no further pack. */
  leave: () => void
}

/** Performs a run. Reports each new state. */
export function performRun(
  attempt: Attempt,
  quantity: number,
  ports: RunPorts,
  onChange: (run: Run) => void,
): RunControl {
  let run = startRun(attempt, quantity)
  let send = ports.prepareSend(attempt)
  let wake = () => {}
  const left = new Promise<void>((resolve) => (wake = resolve))
  let reportOver: (run: Run) => void = () => {}
  const over = new Promise<Run>((resolve) => (reportOver = resolve))

  function apply(event: RunEvent) {
    const before = run
    run = runReducer(run, event)
    if (run === before) return
    if (run.attempt !== before.attempt) send = ports.prepareSend(run.attempt)
    onChange(run)
    if (isOver(run)) reportOver(run)
  }

  async function check(): Promise<RunEvent> {
    const result = run.opened.at(-1)!
    try {
      const fault = await ports.check(run.attempt, result)
      // The next client seed is made only now, after the check.
      const more = !fault && !run.repeated && !run.leaving && run.opened.length < run.quantity
      return { type: 'checked', fault, next: more ? ports.nextAttempt(run.attempt, result) : null }
    } catch {
      return { type: 'unchecked' }
    }
  }

  /** Does what the run needs next. */
  async function step(phase: Exclude<RunPhase, 'ended'>): Promise<RunEvent> {
    switch (phase) {
      case 'waiting':
        await ports.wait(repeatDelay(run), left)
        return { type: 'repeat' }
      case 'checking':
        return check()
      case 'searching':
        return { type: 'searched', used: await ports.wasUsed(run.attempt).catch(() => undefined) }
      case 'sending':
        return send().then(
          (answer) => ({ type: 'answered', ...answer }),
          (error: Error) => ({ type: 'failed', error }),
        )
    }
  }

  async function perform(): Promise<Run> {
    // oxlint-disable-next-line no-await-in-loop -- each open needs the answer of the one before
    while (run.phase !== 'ended') apply(await step(run.phase))
    return run
  }

  return {
    over,
    ended: perform(),
    leave: () => {
      apply({ type: 'leave' })
      wake()
    },
  }
}
