import type { QueryClient } from '@tanstack/react-query'
import { ownedKeys, actChannel } from '../invalidations'
import { keys } from '../keys'
import { createRefresher, ownPace } from './refresher'

/** How long a page is out of sight before what is the visitor's own may be old: they may be at another device. */
export const awayMs = 30_000

/** What acts on another device change. The balance and what is unread look again by themselves. */
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

/** Keeps what is the visitor's own as other tabs and devices leave it, until it is told to stop. */
export function refreshOwnData(queryClient: QueryClient, address: string): () => void {
  const refresher = createRefresher(queryClient)
  let leftAt = Number.POSITIVE_INFINITY

  function look() {
    if (document.hidden) leftAt = Date.now()
    else if (Date.now() - leftAt >= awayMs) for (const queryKey of ownKeys) refresher.refresh({ queryKey }, ownPace)
  }
  const stop = actChannel(queryClient).subscribe((told) => {
    if (told.address !== address) return
    // What is being opened here keeps its seal: the same open from two tabs is one open.
    const changed = told.queryKeys.filter(([path]) => path !== keys.commitment[0])
    for (const queryKey of changed) refresher.refresh({ queryKey }, ownPace)
  })
  document.addEventListener('visibilitychange', look)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', look)
    refresher.stop()
  }
}
