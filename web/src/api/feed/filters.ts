import { categoryOfItem } from '@/lib/category-of-item'
import type { FeedEvent } from '@/contract/feed'
import type { ItemFilter } from '@/contract/types'
import type { TradeFilter } from '../activity'

type Listed = FeedEvent<'listing'>['data']
type Sold = FeedEvent<'sale'>['data']

/** Whether an item is in the series or category. */
function isInCategory(item: { series: string; name: string }, category: string | undefined): boolean {
  return category === undefined || category === item.series || category === categoryOfItem(item)
}

/** Whether each word is a prefix of a word in the name. */
function hasWords(name: string, words: string | undefined): boolean {
  const nameWords = name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const prefixes = (words ?? '').toLowerCase().split(/\s+/)
  return prefixes.every((prefix) => nameWords.some((word) => word.startsWith(prefix)))
}

/** Whether a listing certainly matches a filter. Events don't include grade and grader. */
export function listingPasses({ item, priceCents }: Listed, filter: ItemFilter): boolean {
  const { search, series, certification, rarity, grade, minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = filter
  if (certification !== undefined || grade !== undefined) return false
  return (
    isInCategory(item, series) &&
    hasWords(item.name, search) &&
    (rarity === undefined || rarity === item.rarity) &&
    priceCents >= minPrice * 100 &&
    priceCents <= maxPrice * 100
  )
}

/** Whether a sale matches a filter of trades. */
export function salePasses({ item, kind: saleKind }: Sold, { itemId, series, kind }: TradeFilter): boolean {
  return (
    (itemId === undefined || itemId === item.id) &&
    isInCategory(item, series) &&
    (kind === undefined || kind === saleKind)
  )
}
