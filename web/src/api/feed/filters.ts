import { categoryOf } from '@/lib/category-of'
import type { FeedEvent } from '@/contract/feed'
import type { ItemFilter } from '@/contract/types'
import type { TradeFilter } from '../activity'

type Listed = FeedEvent<'listing'>['data']
type Sold = FeedEvent<'sale'>['data']

/** Whether an item is in the series or category. */
function isOf(item: { series: string; name: string }, asked: string | undefined): boolean {
  return asked === undefined || asked === item.series || asked === categoryOf(item)
}

/** Whether each word is the beginning of one of the name's. */
function hasWords(name: string, words: string | undefined): boolean {
  const begun = name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const asked = (words ?? '').toLowerCase().split(/\s+/)
  return asked.every((word) => begun.some((one) => one.startsWith(word)))
}

/** Whether a listing certainly matches a filter. Events don't include grade and grader. */
export function listingPasses({ item, priceCents }: Listed, filter: ItemFilter): boolean {
  const { search, series, certification, rarity, grade, minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = filter
  if (certification !== undefined || grade !== undefined) return false
  return (
    isOf(item, series) &&
    hasWords(item.name, search) &&
    (rarity === undefined || rarity === item.rarity) &&
    priceCents >= minPrice * 100 &&
    priceCents <= maxPrice * 100
  )
}

/** Whether a sale matches a filter of trades. */
export function salePasses({ item, kind: how }: Sold, { itemId, series, kind }: TradeFilter): boolean {
  return (itemId === undefined || itemId === item.id) && isOf(item, series) && (kind === undefined || kind === how)
}
