import { hashKey, type QueryClient, type QueryFilters } from '@tanstack/react-query'

/** The maximum delay of a refetch, and the minimum time until the next one. */
export interface Pace {
  maxDelayMs: number
  minIntervalMs: number
}

/** The visitor's own data: no delay. */
export const ownPace: Pace = { maxDelayMs: 0, minIntervalMs: 2000 }
/** Shared data: jitter the refetch so that clients don't stampede. */
export const sharedPace: Pace = { maxDelayMs: 4000, minIntervalMs: 10_000 }

interface Schedule {
  /** Time of the last refetch. */
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
  const schedules = new Map<string, Schedule>()
  const deferred = new Set<() => void>()

  function refresh(what: Pick<QueryFilters, 'queryKey' | 'exact'>, { maxDelayMs, minIntervalMs }: Pace) {
    void queryClient.invalidateQueries({ ...what, refetchType: 'none' })
    if (queryClient.getQueryCache().findAll({ ...what, type: 'active' }).length === 0) return
    const name = hashKey([what.queryKey, what.exact])
    const schedule = schedules.get(name) ?? { last: Number.NEGATIVE_INFINITY, due: Number.POSITIVE_INFINITY }
    schedules.set(name, schedule)
    const now = Date.now()
    const due = Math.max(now + Math.random() * maxDelayMs, schedule.last + minIntervalMs * (1 + Math.random() / 2))
    if (schedule.timer !== undefined && schedule.due <= due) return
    window.clearTimeout(schedule.timer)
    schedule.due = due
    schedule.timer = window.setTimeout(run, due - now)

    function run() {
      if (document.hidden) return void deferred.add(run)
      schedule.timer = undefined
      schedule.last = Date.now()
      // Skips queries that were refetched meanwhile.
      void queryClient.refetchQueries({ ...what, type: 'active', stale: true })
    }
  }

  function runDeferred() {
    if (document.hidden) return
    const runs = [...deferred]
    deferred.clear()
    for (const run of runs) run()
  }
  document.addEventListener('visibilitychange', runDeferred)
  return {
    refresh,
    stop() {
      document.removeEventListener('visibilitychange', runDeferred)
      for (const { timer } of schedules.values()) window.clearTimeout(timer)
    },
  }
}
