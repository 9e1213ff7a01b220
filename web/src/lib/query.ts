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
      mutations: { retry: false },
    },
  })
}

/** The cache is keyed by path, so that one feature can refresh what another one reads. */
export const queryKeys = {
  packs: ['/api/packs'],
  pack: (id: string) => ['/api/packs', id],
  wallet: ['/api/wallet'],
  transactions: ['/api/wallet', 'transactions'],
  inventory: ['/api/inventory/me'],
  opens: ['/api/opens'],
} as const
