import type { NewBid } from '@/api/bids'
import type { Item } from '@/contract/types'
import { roundDownToBid } from './bid-math'
import { parseBid } from './bid-schema'
import { priceInput } from '@/lib/parse-price'

/** A card to bid on. */
export type BidItem = Pick<Item, 'id' | 'name' | 'imageUrl' | 'baseValueCents'>

/** The default price, in percent of the value. */
export const defaultPercent = 90

/** The default price of a bid as text: 90% of the value, rounded down to a valid bid. */
export function defaultPrice({ baseValueCents }: BidItem): string {
  return priceInput(roundDownToBid((baseValueCents * defaultPercent) / 100))
}

/** The form: typed prices as text, and prices in cents, far from the value, that the user has confirmed; both by item id. */
export interface Typed {
  prices: ReadonlyMap<string, string>
  confirmed: ReadonlyMap<string, number>
}

/** The typed price of an item, or its default. */
export function typedPrice(item: BidItem, prices: Typed['prices']): string {
  return prices.get(item.id) ?? defaultPrice(item)
}

/** The ids of the items whose price is neither empty nor a valid bid. */
export function wrongPrices(items: readonly BidItem[], prices: Typed['prices']): ReadonlySet<string> {
  const isWrong = (text: string) => text.trim() !== '' && parseBid(text) === undefined
  return new Set(items.filter((item) => isWrong(typedPrice(item, prices))).map(({ id }) => id))
}

/** The bids to place. Items with an empty or invalid price are skipped. */
export function bidsOf(items: readonly BidItem[], { prices, confirmed }: Typed): (NewBid & { priceCents: number })[] {
  return items.flatMap((item) => {
    const priceCents = parseBid(typedPrice(item, prices))
    if (priceCents === undefined) return []
    const isConfirmed = confirmed.get(item.id) === priceCents
    return [{ scope: { itemId: item.id }, priceCents, ...(isConfirmed && { confirmedCents: priceCents }) }]
  })
}
