import type { paths } from '@/contract/schema'
import type { PlacedBid } from '@/contract/types'
import { type Handlers, type Keyed, useAct } from './act'
import { api, read } from './client'

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
const about = (id: string, { params: { header }, headers }: Keyed) => ({ params: { path: { id }, header }, headers })

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
