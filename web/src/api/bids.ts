import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { paths } from '@/contract/schema'
import type { PlacedBid } from '@/contract/types'
import { terms } from '@/lib/config'
import { useSignedIn } from '@/lib/session'
import { type Handlers, type KeyedRequest, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagedQuery } from './paged-query'

const mine = (query: PageQuery & { state: 'open' | 'ended' }, options: { signal: AbortSignal }) =>
  api.GET('/api/bids', { params: { query }, ...options })

/** All open bids of the visitor's, the newest first: as many as anybody may have. */
export function useOpenBids() {
  return useQuery({
    queryKey: keys.openBids,
    queryFn: ({ signal }) => read(mine({ state: 'open', limit: terms.largestPage }, { signal })),
    enabled: useSignedIn(),
  })
}

const endedQuery = pagedQuery([...keys.bids, 'ended'], (page, options) => mine({ state: 'ended', ...page }, options))

/** The bids of the visitor's that have ended, the newest first, a page at a time. */
export function useEndedBids() {
  return useInfiniteQuery({ ...endedQuery, enabled: useSignedIn() })
}

/** The bids that an entry of the visitor's can be sold to. */
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

/** What a bid asks for: a price, or a part of the value up to a cap; how many, and until when. */
export type BidTerms = BodyOf<'/api/bids/{id}', 'put'>

interface Named {
  id: string
}

/** Of a call about a bid. */
const about = (id: string, { params: { header }, headers }: KeyedRequest) => ({
  params: { path: { id }, header },
  headers,
})

/** Bids for an entry, an item, or whatever meets a criterion. */
export function usePlaceBid(handlers: Handlers<PlacedBid>) {
  return useAct(
    'bid',
    (body: BodyOf<'/api/bids', 'post'>, keyed) => read(api.POST('/api/bids', { body, ...keyed })),
    handlers,
  )
}

/** Changes a bid of the visitor's. */
export function useChangeBid(handlers: Handlers<PlacedBid>) {
  return useAct(
    'changeBid',
    ({ id, ...body }: BidTerms & Named, keyed) => read(api.PUT('/api/bids/{id}', { body, ...about(id, keyed) })),
    handlers,
  )
}

/** Ends a bid of the visitor's; what it holds comes back. */
export function useWithdrawBid(handlers: Handlers<unknown>) {
  return useAct(
    'withdrawBid',
    async ({ id }: Named, keyed) => {
      await api.DELETE('/api/bids/{id}', about(id, keyed))
      return {}
    },
    handlers,
  )
}

/** Sells an entry of the visitor's to a bid, for what it was seen to pay or not at all. */
export function useAcceptBid(handlers: Handlers<{ soldCents: number; feeCents: number }>) {
  return useAct(
    'acceptBid',
    ({ id, ...body }: BodyOf<'/api/bids/{id}/accept', 'post'> & Named, keyed) =>
      read(api.POST('/api/bids/{id}/accept', { body, ...about(id, keyed) })),
    handlers,
  )
}

/** Answers a bid for an entry of the visitor's with a price. */
export function useCounterBid(handlers: Handlers<unknown>) {
  return useAct(
    'counterBid',
    ({ id, ...body }: BodyOf<'/api/bids/{id}/counter', 'post'> & Named, keyed) =>
      read(api.POST('/api/bids/{id}/counter', { body, ...about(id, keyed) })),
    handlers,
  )
}

/** Buys the entry that the visitor bid for, for what its owner was seen to answer. */
export function useAcceptCounter(handlers: Handlers<unknown>) {
  return useAct(
    'acceptCounter',
    ({ id, ...body }: BodyOf<'/api/bids/{id}/accept-counter', 'post'> & Named, keyed) =>
      read(api.POST('/api/bids/{id}/accept-counter', { body, ...about(id, keyed) })),
    handlers,
  )
}

/** Says below what bids on an entry of the visitor's are declined; null declines none. */
export function useSetLowestBid(handlers: Handlers<unknown>) {
  return useAct(
    'setLowestBid',
    ({ id, lowestBidCents }: Named & { lowestBidCents: number | null }, keyed) =>
      read(api.PATCH('/api/inventory/{id}', { body: { lowestBidCents }, ...about(id, keyed) })),
    handlers,
  )
}

/** What is asked and bid for an item. */
export function itemBookQuery(id: string) {
  return queryOptions({
    queryKey: keys.itemBook(id),
    queryFn: ({ signal }) => read(api.GET('/api/items/{id}/book', { params: { path: { id } }, signal })),
  })
}

/** What is asked and bid for one entry. */
export function entryBookQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.entry(id), 'book'],
    queryFn: ({ signal }) => read(api.GET('/api/inventory/{id}/book', { params: { path: { id } }, signal })),
  })
}
