import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query'
import type { components } from '@/contract/schema'
import { serverNow } from '@/lib/server-clock'
import { useSignedIn } from '@/lib/session'
import { api, read } from './client'
import { useInvalidate } from './invalidations'
import { keys } from './keys'

const limitsQuery = queryOptions({
  queryKey: keys.limits,
  queryFn: ({ signal }) => read(api.GET('/api/limits', { signal })),
})

/** The user's limits and usage. Refetched whenever shown, because nearly every act counts. */
export function useLimits() {
  return useQuery({ ...limitsQuery, staleTime: 0, enabled: useSignedIn() })
}

/** Minutes between reality checks; undefined until loaded. */
export function useReminderMinutes() {
  return useQuery({ ...limitsQuery, select: ({ realityMinutes }) => realityMinutes, enabled: useSignedIn() }).data
}

/** The visitor's time-out or self-exclusion; null for none, undefined until loaded. */
export function useBreak() {
  return useQuery({
    ...limitsQuery,
    select: ({ excluded, timedOut }) => excluded ?? timedOut ?? null,
    enabled: useSignedIn(),
  }).data
}

/** Fetches the visitor's play results since a time, or overall. */
export function fetchPlayResults(since: string | undefined, signal: AbortSignal) {
  return read(api.GET('/api/limits/figures', { params: { query: since === undefined ? {} : { since } }, signal }))
}

/** The visitor's play results since a time, or overall. Refetched like limits, and whenever `number` changes. */
export function usePlayResults(since?: string, number = 0) {
  return useQuery({
    queryKey: [...keys.figures, since, number],
    queryFn: ({ signal }) => fetchPlayResults(since, signal),
    staleTime: 0,
    enabled: useSignedIn(),
  })
}

/** One of the six limits. */
export type LimitName = 'loss-day' | 'loss-week' | 'loss-month' | 'deposit-day' | 'deposit-week' | 'deposit-month'

type ChangedLimits = components['schemas']['LimitsView']

interface MutationHandlers<T = void> {
  onSuccess: (result: T) => void
  onError: (error: Error) => void
}

/** Sets limits, null for none, or the minutes between reality checks, 0 for never. */
export function useSetLimits(handlers: MutationHandlers<ChangedLimits>) {
  const refresh = useInvalidate('setLimits')
  return useMutation({
    mutationFn: async (body: { limits?: { limit: LimitName; cents: number | null }[]; realityMinutes?: number }) => {
      const changed = await read(api.PUT('/api/limits', { body }))
      await refresh()
      return changed
    },
    ...handlers,
  })
}

/** Confirms a change requested at least a day before. */
export function useConfirmLimit(handlers: MutationHandlers) {
  const refresh = useInvalidate('setLimits')
  return useMutation({
    mutationFn: async (limit: LimitName) => {
      await read(api.POST('/api/limits/confirm', { body: { limit } }))
      await refresh()
    },
    ...handlers,
  })
}

/** A time-out of some days, or self-exclusion. */
export type Break = { days: number } | { forGood: boolean }

export function useTakeBreak(handlers: MutationHandlers) {
  const refresh = useInvalidate('stop')
  return useMutation({
    mutationFn: async (chosenBreak: Break) => {
      await read(
        'days' in chosenBreak
          ? api.POST('/api/limits/time-out', { body: chosenBreak })
          : api.POST('/api/limits/exclusion', { body: chosenBreak }),
      )
      await refresh()
    },
    ...handlers,
  })
}

export type Limits = components['schemas']['LimitsView']

/** Whether the visitor is known to be on a break. Reads the cache only; the reality check keeps it fresh. */
export function useOnBreak(): boolean {
  return useQuery({ queryKey: keys.limits, queryFn: skipToken, select: isOnBreak }).data ?? false
}

function isOnBreak({ excluded, timedOut }: Limits): boolean {
  const pause = excluded ?? timedOut
  return pause !== undefined && (pause.until === null || Date.parse(pause.until) > serverNow())
}
