import type { CartBought } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'

interface Lines {
  lines: { inventoryId: string; expectedPriceCents: number }[]
  /** Buy what can be bought; else all or none. */
  partial: boolean
}

/** Buys several listings, none for more than was seen. */
export function useBuyCart(handlers: Handlers<CartBought, Lines>) {
  return useAct('buy', (body: Lines, keyed) => read(api.POST('/api/marketplace/cart', { body, ...keyed })), handlers)
}
