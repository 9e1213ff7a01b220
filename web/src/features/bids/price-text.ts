import { dollars } from '@/lib/format'
import { maxPriceOf, type BidPrice } from './bid-math'
import type { bids } from './texts/en'

export function priceText(price: BidPrice, { order }: typeof bids): string {
  const maxPrice = dollars(maxPriceOf(price))
  return price.pegPercent === undefined ? maxPrice : order.pegged(price.pegPercent, maxPrice)
}
