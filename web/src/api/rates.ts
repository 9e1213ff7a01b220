import { queryOptions, useQuery } from '@tanstack/react-query'
import { config } from '@/lib/config'
import type { Approval, ChangedRates, Rates } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'

const hourMs = 3_600_000
const minDelayMs = 10_000

/** The sellers' fees, from the page's configuration. Refetched when an announced change takes effect. */
const ratesQuery = queryOptions({
  queryKey: keys.rates,
  queryFn: ({ signal }) => read(api.GET('/api/rates', { signal })),
  initialData: config.rates,
  refetchInterval: ({ state }) => untilChange(state.data, Date.now()),
})

/** Milliseconds until the fees are refetched: until the next change takes effect, at most an hour. */
export function untilChange(rates: Rates | undefined, now: number): number {
  const next = rates?.announced[0]?.effectiveAt
  return next ? Math.min(hourMs, Math.max(minDelayMs, Date.parse(next) - now)) : hourMs
}

export function useRates(): Rates {
  return useQuery(ratesQuery).data
}

export function useChangeRates(handlers: Handlers<Approval>) {
  return useAct(
    'changeRates',
    (body: ChangedRates, keyed) => read(api.POST('/api/admin/rates', { body, ...keyed })),
    handlers,
  )
}
