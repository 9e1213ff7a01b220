import { queryOptions, useQuery } from '@tanstack/react-query'
import { config } from '@/lib/config'
import type { Approval, ChangedRates, Rates } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'

const hourMs = 3_600_000
const soonestMs = 10_000

/** The seller's fees, known with the page. They are read again when an announced change takes effect. */
const ratesQuery = queryOptions({
  queryKey: keys.rates,
  queryFn: ({ signal }) => read(api.GET('/api/rates', { signal })),
  initialData: config.rates,
  refetchInterval: ({ state }) => untilChange(state.data, Date.now()),
})

/** How long rates are kept: until the next change takes effect, an hour at most. */
export function untilChange(rates: Rates | undefined, now: number): number {
  const next = rates?.announced[0]?.effectiveAt
  return next ? Math.min(hourMs, Math.max(soonestMs, Date.parse(next) - now)) : hourMs
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
