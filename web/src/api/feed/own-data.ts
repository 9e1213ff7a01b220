import type { QueryClient } from '@tanstack/react-query'
import { ownedKeys, actChannel } from '../invalidations'
import { keys } from '../keys'
import { createRefresher, ownPace } from './refresher'

/** After being hidden this long, the visitor's own data is refetched: they may have used another device. */
export const awayMs = 30_000

/** Queries that acts on another device change. Balance and unread alerts are polled anyway. */
const ownKeys = [
  ...ownedKeys,
  keys.transactions,
  keys.deposits,
  keys.bids,
  keys.myTrades,
  keys.opens,
  keys.claims,
  keys.watchlist,
  keys.savedSearches,
  keys.limits,
]

/** Keeps the visitor's own data in step with other tabs and devices until the returned function is called. */
export function refreshOwnData(queryClient: QueryClient, address: string): () => void {
  const refresher = createRefresher(queryClient)
  let hiddenAt = Number.POSITIVE_INFINITY

  function onVisibilityChange() {
    if (document.hidden) hiddenAt = Date.now()
    else if (Date.now() - hiddenAt >= awayMs) for (const queryKey of ownKeys) refresher.refresh({ queryKey }, ownPace)
  }
  const stop = actChannel(queryClient).subscribe((notice) => {
    if (notice.address !== address) return
    // An open in progress here keeps its commitment: the same open from two tabs is one open.
    const changed = notice.queryKeys.filter(([path]) => path !== keys.commitment[0])
    for (const queryKey of changed) refresher.refresh({ queryKey }, ownPace)
  })
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', onVisibilityChange)
    refresher.stop()
  }
}
