import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { KeptListing } from '@/contract/on-sale'
import type { CartBought, ItemFilter, ManyOffered, Offered } from '@/contract/types'
import { useSignedIn } from '@/lib/session'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { useNewRows } from './new-rows'
import { pagedQuery } from './paged-query'

const listingsQuery = (filter: ItemFilter) =>
  pagedQuery<KeptListing>([...keys.marketplace, filter], (page, options) =>
    api.GET('/api/marketplace', { params: { query: { ...filter, ...page } }, ...options }),
  )

/** The listings that match a filter, in pages. Shows the previous ones while loading. */
export function useListings(filter: ItemFilter) {
  return useInfiniteQuery({ ...listingsQuery(filter), placeholderData: keepPreviousData, enabled: useSignedIn() })
}

/** Listings added since the list was loaded. */
export function useNewListings(filter: ItemFilter) {
  return useNewRows(listingsQuery(filter))
}

/** Number of listings for each choice of the filter. The sort order doesn't matter. */
export function useFacets(filter: ItemFilter) {
  const query = { ...filter }
  delete query.sortBy
  return useQuery({
    queryKey: [...keys.facets, query],
    queryFn: ({ signal }) => read(api.GET('/api/marketplace/facets', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    enabled: useSignedIn(),
  })
}

interface Entry {
  inventoryId: string
}

interface Priced extends Entry {
  priceCents: number
  /** Repeats a price far from the value, to confirm it. */
  confirmedCents?: number
}

interface Bought extends Entry {
  expectedPriceCents: number
  /** The displayed listing. */
  listingId: string
}

/** Lists the visitor's entry or changes its price. A bid that pays as much buys it immediately. */
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

/** Delists one of the visitor's entries. */
export function useDelist(handlers: Handlers<unknown>) {
  return useAct(
    'delist',
    (body: Entry, keyed) => read(api.POST('/api/marketplace/delist', { body, ...keyed })),
    handlers,
  )
}

/** Buys a listing at the displayed price, or not at all. */
export function useBuy(handlers: Handlers<unknown, Bought>) {
  return useAct('buy', (body: Bought, keyed) => read(api.POST('/api/marketplace/buy', { body, ...keyed })), handlers)
}

/** One of several entries. Without a price, it is delisted. */
interface Line {
  inventoryId: string
  priceCents?: number
  /** Repeats a price far from the value, to confirm it. */
  confirmedCents?: number
}

interface Lines {
  lines: Line[]
}

/** Lists, reprices or delists several of the visitor's entries: all or none. */
export function useOfferMany(act: 'list' | 'reprice' | 'delist', handlers: Handlers<ManyOffered, Lines>) {
  return useAct(
    act,
    ({ lines }: Lines, keyed) => {
      if (act === 'delist') return read(api.POST('/api/marketplace/delist-many', { body: { lines }, ...keyed }))
      const body = { lines: lines.map(({ priceCents = 0, ...line }) => ({ ...line, priceCents })) }
      if (act === 'list') return read(api.POST('/api/marketplace/list-many', { body, ...keyed }))
      return read(api.POST('/api/marketplace/reprice-many', { body, ...keyed }))
    },
    handlers,
  )
}

interface CartOrder {
  lines: { inventoryId: string; expectedPriceCents: number }[]
  /** Whether to buy the listings that are still available if some are gone; otherwise all or none. */
  partial: boolean
}

/** Buys several listings, none above the price shown. */
export function useBuyCart(handlers: Handlers<CartBought, CartOrder>) {
  return useAct(
    'buy',
    (body: CartOrder, keyed) => read(api.POST('/api/marketplace/cart', { body, ...keyed })),
    handlers,
  )
}
