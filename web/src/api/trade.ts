import type { Offered } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'

interface Entry {
  inventoryId: string
}

interface Priced extends Entry {
  priceCents: number
  /** The price again, where it is far from the value and meant. */
  confirmedCents?: number
}

interface Bought extends Entry {
  expectedPriceCents: number
  /** The listing on the screen. */
  listingId: string
}

/** Puts an entry of the visitor's up for sale, or changes its price; a bid that pays as much takes it at once. */
export function useOffer(act: 'list' | 'reprice', handlers: Handlers<Offered, Priced>) {
  return useAct(
    act,
    (body: Priced, keyed) =>
      act === 'list'
        ? read(api.POST('/api/marketplace/list', { body, ...keyed }))
        : read(api.POST('/api/marketplace/reprice', { body, ...keyed })),
    handlers,
  )
}

/** Takes one of the visitor's listings back. */
export function useDelist(handlers: Handlers<unknown>) {
  return useAct(
    'delist',
    (body: Entry, keyed) => read(api.POST('/api/marketplace/delist', { body, ...keyed })),
    handlers,
  )
}

/** Buys a listing at the price that is on the screen, or not at all. */
export function useBuy(handlers: Handlers<unknown>) {
  return useAct('buy', (body: Bought, keyed) => read(api.POST('/api/marketplace/buy', { body, ...keyed })), handlers)
}
