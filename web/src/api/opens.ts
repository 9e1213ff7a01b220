import { queryOptions, skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { OpenResult } from '@/contract/types'
import { serverNow } from '@/lib/server-clock'
import { useSignedIn } from '@/lib/session'
import type { KeyedRequest } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagedQuery } from './paged-query'

/** Fetches a page of the visitor's opens, newest first. */
export const fetchOpens = (query: PageQuery & { state?: 'sealed' }, options: { signal?: AbortSignal } = {}) =>
  api.GET('/api/opens', { params: { query }, ...options })

const opensQuery = pagedQuery(keys.opens, fetchOpens)

/** All of the visitor's opens, newest first, in pages. */
export function useOpens() {
  return useInfiniteQuery({ ...opensQuery, enabled: useSignedIn() })
}

const latestQuery = queryOptions({
  queryKey: [...keys.opens, 'latest'],
  queryFn: ({ signal }) => read(fetchOpens({}, { signal })),
})

/** The visitor's latest opens, newest first. */
export function useLatestOpens(enabled = true) {
  return useQuery({ ...latestQuery, enabled: useSignedIn() && enabled })
}

/** One of the visitor's opens, with its receipt. */
export const openQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: [...keys.opens, id],
    queryFn: id ? ({ signal }) => fetchOpen(id, { signal }) : skipToken,
  })

/** Fetches one of the visitor's opens, with its receipt. */
export const fetchOpen = (id: string, options: { signal?: AbortSignal } = {}) =>
  read(api.GET('/api/opens/{id}', { params: { path: { id } }, ...options }))

const pendingQuery = queryOptions({
  queryKey: [...keys.opens, 'pending'],
  queryFn: ({ signal }) => read(fetchOpens({ state: 'sealed' }, { signal })),
})

/** Ids of the visitor's opens that are ordered, but not drawn. */
export function usePendingOpenIds(): ReadonlySet<string> {
  const { data } = useQuery({ ...pendingQuery, enabled: useSignedIn() })
  return new Set(data?.map(({ openId }) => openId))
}

/** How often a draw is asked for that is late, in milliseconds. */
const latePollMs = 5000

/**
 * A pending order, asked for again when its draw is due. `roundAt` is in milliseconds of `performance.now()`: the time
 * since the answer counts, not the device's clock.
 */
export function usePendingOpen(id: string) {
  return useQuery({
    queryKey: [...keys.opens, 'pending', id],
    queryFn: async () => {
      const opening = await fetchOpen(id)
      const { roundInMs = 0, roundAt = '' } = opening.order ?? {}
      const overdueMs = roundInMs > 0 ? 0 : Math.max(0, serverNow() - Date.parse(roundAt) || 0)
      return { opening, roundAt: performance.now() + roundInMs - overdueMs }
    },
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.opening.state === 'sealed' ? (data.opening.order?.pollAfterMs ?? latePollMs) : false,
  })
}

/** The inputs of an open. The same inputs give the same draw. */
export interface OpenRequest {
  packId: string
  clientSeed: string
  /** The commitment shown before the seed was made. */
  commitment: string
  /** Hash of the manifest the visitor agreed to. */
  manifest: string
  /** Ordered now and drawn with a later round of a public beacon. */
  sealed?: boolean
}

/** Draws and charges. Sent with `useAct`. */
export function openPack({ packId, ...body }: OpenRequest, { params, headers }: KeyedRequest): Promise<OpenResult> {
  return read(api.POST('/api/packs/{id}/open', { params: { ...params, path: { id: packId } }, headers, body }))
}
