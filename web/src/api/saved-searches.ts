import { useMutation, useQuery } from '@tanstack/react-query'
import { useSignedIn } from '@/lib/session'
import { useInvalidate } from './invalidations'
import { api, read } from './client'
import { keys } from './keys'

/** The visitor's saved searches, newest first, in one page because there are few. */
export function useSavedSearches() {
  return useQuery({
    queryKey: keys.savedSearches,
    queryFn: ({ signal }) => read(api.GET('/api/saved-searches', { params: { query: { limit: 200 } }, signal })),
    enabled: useSignedIn(),
  })
}

interface MutationHandlers {
  onSuccess?: () => void
  onError: (error: Error) => void
}

/** Saves a search, replacing one of the same name. */
export function useSaveSearch(handlers: MutationHandlers) {
  const refresh = useInvalidate('saveSearch')
  return useMutation({
    mutationFn: async (body: { name: string; query: string; alert: boolean }) => {
      await read(api.POST('/api/saved-searches', { body }))
      await refresh()
    },
    ...handlers,
  })
}

export function useDeleteSearch(handlers: MutationHandlers) {
  const refresh = useInvalidate('saveSearch')
  return useMutation({
    mutationFn: async (id: string) => {
      await api.DELETE('/api/saved-searches/{id}', { params: { path: { id } } })
      await refresh()
    },
    ...handlers,
  })
}
