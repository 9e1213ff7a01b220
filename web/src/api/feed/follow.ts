import type { QueryClient } from '@tanstack/react-query'
import { config } from '@/lib/config'
import { applyEvents } from './invalidations'
import { createRefresher } from './refresher'
import { shareFeed } from './shared-feed'

/** The last event applied to the cache. */
let position = config.feed

/**
 * Keeps the cache in step with the market until the returned function is called. The server names the user's own events
 * for the session that the stream began with, so call it again after the user signs in or out.
 */
export function followFeed(queryClient: QueryClient): () => void {
  const refresher = createRefresher(queryClient)
  const apply = applyEvents(queryClient, refresher)
  const leave = shareFeed(position, (event) => {
    position = event.id
    apply(event)
  })
  return () => {
    leave()
    refresher.stop()
  }
}
