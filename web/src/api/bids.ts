import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { paths } from '@/contract/schema'
import type { PlacedBid } from '@/contract/types'
import { terms } from '@/lib/config'
import { useSignedIn } from '@/lib/session'
import { type Handlers, type KeyedRequest, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagedQuery } from './paged-query'

const fetchBids = (query: PageQuery & { state: 'open' | 'ended' }, options: { signal: AbortSignal }) =>
  api.GET('/api/bids', { params: { query }, ...options })

/** The visitor's open bids, newest first. One page holds the maximum a user can have. */
export function useOpenBids() {
  return useQuery({
    queryKey: keys.openBids,
    queryFn: ({ signal }) => read(fetchBids({ state: 'open', limit: terms.largestPage }, { signal })),
    enabled: useSignedIn(),
  })
}

const endedQuery = pagedQuery([...keys.bids, 'ended'], (page, options) =>
  fetchBids({ state: 'ended', ...page }, options),
)

/** The visitor's past bids, newest first, in pages. */
export function useEndedBids() {
  return useInfiniteQuery({ ...endedQuery, enabled: useSignedIn() })
}

/** The bids that can buy the visitor's entry. */
export function useBidsOnOwn(inventoryId: string) {
  return useQuery({
    queryKey: [...keys.entry(inventoryId), 'bids'],
    queryFn: ({ signal }) =>
      read(api.GET('/api/inventory/{id}/bids', { params: { path: { id: inventoryId } }, signal })),
    enabled: useSignedIn(),
  })
}

type BodyOf<P extends keyof paths, M extends 'post' | 'put'> = paths[P][M] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

/** A bid's terms: a price, or a percentage of the value up to a cap; quantity and expiry. */
export type BidTerms = BodyOf<'/api/bids/{id}', 'put'>

interface WithId {
  id: string
}

/** Request options with a bid's or entry's id in the path. */
const withId = (id: string, { params: { header }, headers }: KeyedRequest) => ({
  params: { path: { id }, header },
  headers,
})

/** A bid to place. */
export type NewBid = BodyOf<'/api/bids', 'post'>

/** Sends a new bid. */
export const placeBid = (body: NewBid, keyed: KeyedRequest) => read(api.POST('/api/bids', { body, ...keyed }))

/** Places a bid for an entry, an item or items that meet criteria. */
export function usePlaceBid(handlers: Handlers<PlacedBid>) {
  return useAct('bid', placeBid, handlers)
}

/** Changes one of the visitor's bids. */
export function useChangeBid(handlers: Handlers<PlacedBid>) {
  return useAct(
    'changeBid',
    ({ id, ...body }: BidTerms & WithId, keyed) => read(api.PUT('/api/bids/{id}', { body, ...withId(id, keyed) })),
    handlers,
  )
}

/** Withdraws one of the visitor's bids; the held money is returned. */
export function useWithdrawBid(handlers: Handlers<unknown>) {
  return useAct(
    'withdrawBid',
    async ({ id }: WithId, keyed) => {
      await api.DELETE('/api/bids/{id}', withId(id, keyed))
      return {}
    },
    handlers,
  )
}

/** Sells the visitor's entry to a bid at the displayed price or better, or not at all. */
export function useAcceptBid(handlers: Handlers<{ soldCents: number; feeCents: number }>) {
  return useAct(
    'acceptBid',
    ({ id, ...body }: BodyOf<'/api/bids/{id}/accept', 'post'> & WithId, keyed) =>
      read(api.POST('/api/bids/{id}/accept', { body, ...withId(id, keyed) })),
    handlers,
  )
}

/** Makes a counter-offer to a bid for the visitor's entry. */
export function useCounterBid(handlers: Handlers<unknown>) {
  return useAct(
    'counterBid',
    ({ id, ...body }: BodyOf<'/api/bids/{id}/counter', 'post'> & WithId, keyed) =>
      read(api.POST('/api/bids/{id}/counter', { body, ...withId(id, keyed) })),
    handlers,
  )
}

/** Buys an entry at its owner's counter-offer, as shown to the user. */
export function useAcceptCounter(handlers: Handlers<unknown>) {
  return useAct(
    'acceptCounter',
    ({ id, ...body }: BodyOf<'/api/bids/{id}/accept-counter', 'post'> & WithId, keyed) =>
      read(api.POST('/api/bids/{id}/accept-counter', { body, ...withId(id, keyed) })),
    handlers,
  )
}

/** Sets the minimum bid for the visitor's entry; lower bids are declined. null removes it. */
export function useSetLowestBid(handlers: Handlers<unknown>) {
  return useAct(
    'setLowestBid',
    ({ id, lowestBidCents }: WithId & { lowestBidCents: number | null }, keyed) =>
      read(api.PATCH('/api/inventory/{id}', { body: { lowestBidCents }, ...withId(id, keyed) })),
    handlers,
  )
}

/** The order book of an item: listings and bids. */
export function itemBookQuery(id: string) {
  return queryOptions({
    queryKey: keys.itemBook(id),
    queryFn: ({ signal }) => read(api.GET('/api/items/{id}/book', { params: { path: { id } }, signal })),
  })
}

/** The order book of one entry. */
export function entryBookQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.entry(id), 'book'],
    queryFn: ({ signal }) => read(api.GET('/api/inventory/{id}/book', { params: { path: { id } }, signal })),
  })
}
