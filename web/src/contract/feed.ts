import type { Activity, Trade } from './types'

/** As much of an item as the feed tells. */
type FeedItem = Omit<Activity['best'], 'valueCents'>

/** An entry, and what it is of. */
interface EntryRef {
  inventoryId: string
  itemId: string
}

/** What each event of `GET /api/feed` tells, by its name. */
interface Events {
  open: Activity
  /** Opens that are not told one by one. */
  more: { count: number; packIds: readonly string[] }
  /** For sale, or at another price. */
  listing: { inventoryId: string; listingId: string; priceCents: number; item: FeedItem }
  delisted: EntryRef
  sale: {
    inventoryId: string
    kind: Exclude<Trade['kind'], 'sell-back'>
    priceCents: number
    item: FeedItem
    at: string
  }
  /** Sold back or claimed. */
  left: EntryRef
  /** What is bid has changed; each is empty where it is not about one. */
  book: EntryRef
  value: { itemId: string; valueCents: number }
  /** An item is another than it was, its value apart. */
  item: { itemId: string }
  leaderboard: object
  /** Whatever is known may be old. */
  reset: object
}

export type FeedKind = keyof Events

export type FeedEvent<K extends FeedKind = FeedKind> = {
  [Kind in K]: {
    /** Its number among the market's events, the same for everybody. */
    id: string
    kind: Kind
    data: Events[Kind]
  }
}[K]
