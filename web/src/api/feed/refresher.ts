import { hashKey, type QueryClient, type QueryFilters } from '@tanstack/react-query'

/** The maximum delay of a refetch, and the minimum time until the next one. */
export interface Pace {
  waitMs: number
  restMs: number
}

/** The visitor's own data: no delay. */
export const ownPace: Pace = { waitMs: 0, restMs: 2000 }
/** Shared data: jitter the refetch so that clients don't stampede. */
export const sharedPace: Pace = { waitMs: 4000, restMs: 10_000 }

interface Schedule {
  /** When it was read last. */
  last: number
  due: number
  timer?: number | undefined
}

export interface Refresher {
  /** Invalidates queries and refetches those on screen. */
  refresh: (what: Pick<QueryFilters, 'queryKey' | 'exact'>, pace: Pace) => void
  stop: () => void
}

/** Batches and rate-limits refetches, and pauses them while the page is hidden. */
export function createRefresher(queryClient: QueryClient): Refresher {
  const turns = new Map<string, Schedule>()
  const unseen = new Set<() => void>()

  function refresh(what: Pick<QueryFilters, 'queryKey' | 'exact'>, { waitMs, restMs }: Pace) {
    void queryClient.invalidateQueries({ ...what, refetchType: 'none' })
    if (queryClient.getQueryCache().findAll({ ...what, type: 'active' }).length === 0) return
    const name = hashKey([what.queryKey, what.exact])
    const turn = turns.get(name) ?? { last: Number.NEGATIVE_INFINITY, due: Number.POSITIVE_INFINITY }
    turns.set(name, turn)
    const now = Date.now()
    const due = Math.max(now + Math.random() * waitMs, turn.last + restMs * (1 + Math.random() / 2))
    if (turn.timer !== undefined && turn.due <= due) return
    window.clearTimeout(turn.timer)
    turn.due = due
    turn.timer = window.setTimeout(run, due - now)

    function run() {
      if (document.hidden) return void unseen.add(run)
      turn.timer = undefined
      turn.last = Date.now()
      // Skips queries that were refetched meanwhile.
      void queryClient.refetchQueries({ ...what, type: 'active', stale: true })
    }
  }

  function look() {
    if (document.hidden) return
    const now = [...unseen]
    unseen.clear()
    for (const run of now) run()
  }
  document.addEventListener('visibilitychange', look)
  return {
    refresh,
    stop() {
      document.removeEventListener('visibilitychange', look)
      for (const { timer } of turns.values()) window.clearTimeout(timer)
    },
  }
}
