import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { Language } from '@/lib/language'
import { retryUntilAnswered } from './act'
import { api, read, readById } from './client'
import { useInvalidate } from './invalidations'
import { keys } from './keys'

export const pullPeriods = ['today', 'week', 'all'] as const

export type PullPeriod = (typeof pullPeriods)[number]

const refreshedAfterMs = 60_000

/**
 * The most valuable pulls of a period, of one pack or all, best first, refetched while displayed. Days and weeks begin
 * in UTC.
 */
export function useTopPulls(period: PullPeriod, packId?: string) {
  return useQuery({
    queryKey: [...keys.publicTopPulls, period, packId],
    queryFn: ({ signal }) =>
      read(api.GET('/api/pulls/top', { params: { query: { period, ...(packId && { packId }) } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: refreshedAfterMs,
    refetchInterval: refreshedAfterMs,
  })
}

/** A pull that its owner shared; 404 for others. */
export const sharedPullQuery = (openId: string) =>
  queryOptions({
    queryKey: keys.sharedPull(openId),
    queryFn: ({ signal }) =>
      readById(openId, () => api.GET('/api/pulls/{openId}', { params: { path: { openId } }, signal })),
  })

const redrawnAfterMs = 1_000

/** Whether a preview picture can be shown. While the server draws it, it serves a plain one and asks to retry. */
export function usePreviewReady(url: string | undefined) {
  const { data, isError } = useQuery({
    queryKey: keys.preview(url ?? ''),
    queryFn: async ({ signal }) => {
      // oxlint-disable-next-line no-restricted-globals -- the client decodes JSON, this has no body
      const response = await fetch(url ?? '', { method: 'HEAD', signal })
      return !response.headers.has('Retry-After')
    },
    enabled: url !== undefined,
    refetchInterval: ({ state }) => state.data === false && redrawnAfterMs,
  })
  return data ?? isError
}

interface Sharing {
  openId: string
  shared: boolean
  /** The language of the preview picture. */
  language: Language
}

/** Shares a pull of the visitor's or stops sharing it. Sent again while no response arrives. */
export function useSharePull(handlers: { onError: (error: Error) => void }) {
  const refresh = useInvalidate('sharePull')
  return useMutation({
    mutationFn: async ({ openId, ...body }: Sharing) => {
      const answer = await retryUntilAnswered(() =>
        read(api.PATCH('/api/pulls/{openId}', { params: { path: { openId } }, body })),
      )
      await refresh()
      return answer
    },
    ...handlers,
  })
}
