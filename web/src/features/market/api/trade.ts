import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Send, useAct } from '@/lib/act'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

interface Entry {
  inventoryId: string
}

interface Priced extends Entry {
  priceCents: number
}

interface Bought extends Entry {
  expectedPriceCents: number
  /** The listing on the screen. */
  listingId: string
}

interface Handlers {
  onDone: () => void
  onFailed: (error: Error) => void
}

/** What a trade may have changed. */
const affected = [
  queryKeys.marketplace,
  queryKeys.inventory,
  queryKeys.inventorySummary,
  queryKeys.vault,
  queryKeys.vaultCards,
  queryKeys.wallet,
]

/** An act on the marketplace. The handlers are called also when what asked is gone by then. */
function useTrade<Body extends Entry>(send: Send<Body>, { onDone, onFailed }: Handlers) {
  const queryClient = useQueryClient()
  const act = useAct()
  return useMutation({
    mutationFn: (body: Body) => act(body, send),
    onSuccess: onDone,
    onError: onFailed,
    // Also after a refusal: what is on the screen may be older than what the server knows.
    onSettled: () => Promise.all(affected.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}

/** Puts an entry of the visitor's up for sale. */
export function useList(handlers: Handlers) {
  return useTrade((body: Priced, params) => read(api.POST('/api/marketplace/list', { body, params })), handlers)
}

/** Changes the price of one of the visitor's listings. */
export function useReprice(handlers: Handlers) {
  return useTrade((body: Priced, params) => read(api.POST('/api/marketplace/reprice', { body, params })), handlers)
}

/** Takes one of the visitor's listings back. */
export function useDelist(handlers: Handlers) {
  return useTrade((body: Entry, params) => read(api.POST('/api/marketplace/delist', { body, params })), handlers)
}

/** Buys a listing at the price that is on the screen, or not at all. */
export function useBuy(handlers: Handlers) {
  return useTrade((body: Bought, params) => read(api.POST('/api/marketplace/buy', { body, params })), handlers)
}
