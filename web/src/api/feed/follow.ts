import type { QueryClient } from '@tanstack/react-query'
import { config } from '@/lib/config'
import { applyEvents } from './invalidations'
import { createRefresher } from './refresher'
import { shareFeed } from './shared-feed'

/** Keeps the cache in step with the market until the returned function is called. */
export function followFeed(queryClient: QueryClient): () => void {
  const refresher = createRefresher(queryClient)
  const leave = shareFeed(config.feed, applyEvents(queryClient, refresher))
  return () => {
    leave()
    refresher.stop()
  }
}
