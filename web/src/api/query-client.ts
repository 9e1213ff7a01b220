import { QueryClient } from '@tanstack/react-query'

/** Data doesn't become stale by itself: acts invalidate it, and events patch it. Nothing is retried. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      // Send even if the browser seems to be offline: a paused request would look stuck, and be sent later without the
      // user's knowledge.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
