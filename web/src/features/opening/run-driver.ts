import type { OpenResult } from '@/contract/types'
import type { Attempt } from './attempt'
import {
  type Fault,
  isOver,
  isPlaced,
  isShowable,
  pendingOrders,
  repeatDelay,
  type Run,
  type RunEvent,
  type RunPhase,
  runReducer,
  type Signed,
  startRun,
} from './run'

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
  /** The current state of an order, with its receipt. */
  draw: (openId: string) => Promise<Signed>
  /** Checks the draw of an order. Rejects if the public data for it can't be loaded. */
  prove: (result: OpenResult) => Promise<Fault | null>
}

export interface RunControl {
  /** Resolves once nothing further is opened or ordered. Orders are still to be drawn, the last receipt may be in check. */
  placed: Promise<Run>
  /** Resolves once the receipts of all opens and orders were checked. */
  checked: Promise<Run>
  /** Resolves once there is something to show: all results, or all but late ones. */
  showable: Promise<Run>
  /** Resolves once no further answer or draw is expected. The last receipt may still be in check. */
  over: Promise<Run>
  /** Resolves once the last receipt was checked, too. */
  ended: Promise<Run>
  /** Opens no further pack. */
  leave: () => void
}

const never = new Promise<void>(() => {})

/** A promise for the first state of a run that has reached something, and the function that reports each state. */
function milestone(reached: (run: Run) => boolean): [Promise<Run>, (run: Run) => void] {
  let resolve: (run: Run) => void = () => {}
  const first = new Promise<Run>((done) => (resolve = done))
  return [first, (run) => reached(run) && resolve(run)]
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
  const [over, reportOver] = milestone(isOver)
  const [showable, reportShowable] = milestone(isShowable)
  const [checked, reportChecked] = milestone(isPlaced)
  const [placed, reportPlaced] = milestone((now) => isOver(now) || isPlaced(now))

  function apply(event: RunEvent) {
    const before = run
    run = runReducer(run, event)
    if (run === before) return
    if (run.attempt !== before.attempt) send = ports.prepareSend(run.attempt)
    onChange(run)
    for (const report of [reportPlaced, reportChecked, reportShowable, reportOver]) report(run)
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

  /** Asks for the draws when they are due. */
  async function awaitDraws(): Promise<RunEvent> {
    await ports.wait(Math.max(0, (run.orders?.pollAt ?? 0) - performance.now()), never)
    const draws = await Promise.allSettled(pendingOrders(run).map(({ openId }) => ports.draw(openId)))
    const results = draws.flatMap((draw) => (draw.status === 'fulfilled' ? [draw.value] : []))
    return { type: 'drawn', results, at: performance.now() }
  }

  async function prove(): Promise<RunEvent> {
    const ordered = run.opened.filter(({ order }) => order)
    try {
      const faults = await Promise.all(ordered.map(ports.prove))
      const fault = faults.find((one) => one !== null)
      return { type: 'proved', stop: fault ? { kind: 'fault', fault } : null }
    } catch {
      return { type: 'proved', stop: run.stop ?? { kind: 'unchecked' } }
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
      case 'drawing':
        return awaitDraws()
      case 'proving':
        return prove()
      case 'searching':
        return { type: 'searched', used: await ports.wasUsed(run.attempt).catch(() => undefined) }
      case 'sending':
        return send().then(
          (answer) => ({ type: 'answered', ...answer, at: performance.now() }),
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
    placed,
    checked,
    showable,
    over,
    ended: perform(),
    leave: () => {
      apply({ type: 'leave' })
      wake()
    },
  }
}
