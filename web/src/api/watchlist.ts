import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useSignedIn } from '@/lib/session'
import { useInvalidate } from './invalidations'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagedQuery } from './paged-query'

const watchlist = (query: PageQuery & { itemId?: string }, options: { signal: AbortSignal }) =>
  api.GET('/api/watchlist', { params: { query }, ...options })

/** The visitor's watchlist, newest first. */
export function useWatchlist() {
  return useInfiniteQuery({ ...pagedQuery(keys.watched, watchlist), enabled: useSignedIn() })
}

/** How the visitor watches an item; null if they do not. */
export function useWatchOf(itemId: string) {
  return useQuery({
    queryKey: [...keys.watchlist, itemId],
    queryFn: async ({ signal }) => (await read(watchlist({ itemId }, { signal })))[0] ?? null,
    enabled: useSignedIn(),
  })
}

interface MutationHandlers {
  onSuccess: () => void
  onError: (error: Error) => void
}

/** Adds an item to the watchlist, or changes its alert price. */
export function useWatch(handlers: MutationHandlers) {
  const refresh = useInvalidate('watch')
  return useMutation({
    mutationFn: async (body: { itemId: string; belowCents?: number }) => {
      await read(api.POST('/api/watchlist', { body }))
      await refresh()
    },
    ...handlers,
  })
}

export function useUnwatch(handlers: MutationHandlers) {
  const refresh = useInvalidate('watch')
  return useMutation({
    mutationFn: async (id: string) => {
      await api.DELETE('/api/watchlist/{id}', { params: { path: { id } } })
      await refresh()
    },
    ...handlers,
  })
}
