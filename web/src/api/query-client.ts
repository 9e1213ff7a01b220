import { QueryClient } from '@tanstack/react-query'

/** Data is never stale by itself: mutations invalidate, the live stream patches. Nothing is retried. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      // A browser that believes it is offline still gets to try: waiting in silence would look like being stuck, and
      // the request would be sent later, without the user's knowledge.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
