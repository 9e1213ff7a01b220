import { dollars } from '@/lib/format'
import { mostOf, type Price } from './rules'
import type { bids } from './texts/en'

/** What a bid pays, in words. */
export function priceText(price: Price, { order }: typeof bids): string {
  const most = dollars(mostOf(price))
  return price.pegPercent === undefined ? most : order.pegged(price.pegPercent, most)
}
