import { useEffect, useState } from 'react'
import { number } from '@/lib/format'
import { lateAfterMs, type Run } from './run'

/**
 * `ordering`: orders are being placed. `counting`: all are placed, and the round lies ahead. `publishing`: the round is
 * due. `late`: it is overdue. `drawn`: all draws have arrived, or nothing is to be drawn.
 */
export type SealedMoment = 'ordering' | 'counting' | 'publishing' | 'late' | 'drawn'

/** `now` in milliseconds of `performance.now()`, which doesn't depend on the device's clock. */
export function sealedMoment(run: Run | null, now: number): SealedMoment {
  if (run?.phase === 'proving' || run?.phase === 'ended') return 'drawn'
  if (!run?.orders || (run.quantity > 1 && run.phase !== 'drawing')) return 'ordering'
  if (run.orders.late || now >= run.orders.roundAt + lateAfterMs) return 'late'
  return now < run.orders.roundAt ? 'counting' : 'publishing'
}

/** The moment of a run now. */
export function useSealedMoment(run: Run | null): SealedMoment {
  const [now, setNow] = useState(0)
  const roundAt = run?.orders?.roundAt
  useEffect(() => {
    if (roundAt === undefined) return
    const timers = [roundAt, roundAt + lateAfterMs].map((at) =>
      setTimeout(() => setNow(performance.now()), Math.max(0, at - performance.now()) + 1),
    )
    return () => timers.forEach(clearTimeout)
  }, [roundAt])
  return sealedMoment(run, now)
}

/** The round that draws the last order. */
export function lastRound(run: Run | null): string {
  return number(Math.max(0, ...(run?.opened ?? []).map(({ order }) => order?.round ?? 0)))
}
