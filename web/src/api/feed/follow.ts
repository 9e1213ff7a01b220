import type { QueryClient } from '@tanstack/react-query'
import { config } from '@/lib/config'
import { follow } from './changes'
import { createRefresher } from './refresher'
import { shareFeed } from './tabs'

/** Keeps what is cached as the market is, until it is told to stop. */
export function followFeed(queryClient: QueryClient): () => void {
  const refresher = createRefresher(queryClient)
  const leave = shareFeed(config.feed, follow(queryClient, refresher))
  return () => {
    leave()
    refresher.stop()
  }
}
