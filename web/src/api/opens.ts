import { queryOptions, skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMine } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagesOf } from './pages'

const opens = (query: PageQuery, options: { signal: AbortSignal }) =>
  api.GET('/api/opens', { params: { query }, ...options })

const opensQuery = pagesOf(keys.opens, opens)

/** Everything the visitor ever opened, newest first, a page at a time. */
export function useOpens() {
  return useInfiniteQuery({ ...opensQuery, enabled: useMine() })
}

const latestQuery = queryOptions({
  queryKey: [...keys.opens, 'latest'],
  queryFn: ({ signal }) => read(opens({}, { signal })),
})

/** The visitor's latest opens, newest first. */
export function useLatestOpens(wanted = true) {
  return useQuery({ ...latestQuery, enabled: useMine() && wanted })
}

/** One of them, with its receipt. */
export const ownOpenQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: [...keys.opens, id],
    queryFn: id ? ({ signal }) => read(api.GET('/api/opens/{id}', { params: { path: { id } }, signal })) : skipToken,
  })
