import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

interface Entry {
  inventoryId: string
}

interface Priced extends Entry {
  priceCents: number
}

interface Handlers {
  onDone?: () => void
  onFailed: (error: Error) => void
}

interface Keyed {
  header: { 'Idempotency-Key': string }
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

/**
 * An act on the marketplace. Asking for the same again after no answer carries the same key, so that nothing is
 * bought twice. The handlers are called also when what asked is gone by then.
 */
function useTrade<Act extends Entry>(send: (act: Act, params: Keyed) => Promise<unknown>, { onDone, onFailed }: Handlers) {
  const queryClient = useQueryClient()
  const pending = useRef<{ act: string; key: string }>(undefined)
  return useMutation({
    mutationFn: (act: Act) => {
      const text = JSON.stringify(act)
      if (pending.current?.act !== text) pending.current = { act: text, key: crypto.randomUUID() }
      return send(act, { header: { 'Idempotency-Key': pending.current.key } })
    },
    onSuccess: () => {
      pending.current = undefined
      onDone?.()
    },
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
  return useTrade((body: Priced, params) => read(api.POST('/api/marketplace/buy', { body, params })), handlers)
}
