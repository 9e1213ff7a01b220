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
  adminPacks: ['/api/admin/packs'],
  wallet: ['/api/wallet'],
  transactions: ['/api/wallet', 'transactions'],
  inventory: ['/api/inventory/me'],
  inventorySummary: ['/api/inventory/summary'],
  vault: ['/api/vault'],
  marketplace: ['/api/marketplace'],
  vaultCards: ['/api/inventory/vault'],
  opens: ['/api/opens'],
  activity: ['/api/activity/recent'],
  leaderboard: ['/api/leaderboard'],
  items: ['/api/items'],
} as const

/** Mutations that one feature makes and another one watches. */
export const mutationKeys = {
  openPack: ['POST', '/api/packs/{id}/open'],
} as const
