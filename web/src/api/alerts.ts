import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useMine } from '@/lib/session'
import { useRefresh } from './changes'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagesOf } from './pages'

const alerts = (query: PageQuery, options: { signal: AbortSignal }) =>
  api.GET('/api/alerts', { params: { query }, ...options })

/** What the visitor is told, newest first, a page at a time; read afresh whenever it is looked at. */
export function useAlerts() {
  return useInfiniteQuery({ ...pagesOf([...keys.alerts, 'all'], alerts), staleTime: 0, enabled: useMine() })
}

const lookAgainMs = 60_000

/** How many of the newest alerts are not read, looked at each minute while the page is, and when one comes back. */
export function useUnread() {
  return useQuery({
    queryKey: keys.unread,
    queryFn: ({ signal }) => read(alerts({}, { signal })),
    select: (newest) => newest.filter((alert) => !alert.read).length,
    staleTime: lookAgainMs / 2,
    refetchInterval: lookAgainMs,
    refetchOnWindowFocus: true,
    enabled: useMine(),
  })
}

/** Marks an alert and all before it as read. */
export function useReadAlerts() {
  return useMutation({
    mutationFn: async (upTo: string) => void (await api.POST('/api/alerts/read', { body: { upTo } })),
    onSuccess: useRefresh('readAlerts'),
  })
}
