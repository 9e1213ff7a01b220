import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useSignedIn } from '@/lib/session'
import { useInvalidate } from './invalidations'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagedQuery } from './paged-query'

const fetchAlerts = (query: PageQuery, options: { signal: AbortSignal }) =>
  api.GET('/api/alerts', { params: { query }, ...options })

/** The visitor's alerts, newest first, in pages; refetched whenever displayed. */
export function useAlerts() {
  return useInfiniteQuery({ ...pagedQuery([...keys.alerts, 'all'], fetchAlerts), staleTime: 0, enabled: useSignedIn() })
}

const pollMs = 60_000

/** How many of the newest alerts are unread. Polled every minute while the page is visible, and on focus. */
export function useUnread() {
  return useQuery({
    queryKey: keys.unread,
    queryFn: ({ signal }) => read(fetchAlerts({}, { signal })),
    select: (newest) => newest.filter((alert) => !alert.read).length,
    staleTime: pollMs / 2,
    refetchInterval: pollMs,
    refetchOnWindowFocus: true,
    enabled: useSignedIn(),
  })
}

/** Marks an alert and all before it as read. */
export function useReadAlerts() {
  return useMutation({
    mutationFn: async (upTo: string) => void (await api.POST('/api/alerts/read', { body: { upTo } })),
    onSuccess: useInvalidate('readAlerts'),
  })
}
