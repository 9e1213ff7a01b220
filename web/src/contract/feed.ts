import type { Activity, Trade } from './types'

/** The item fields in events. */
type FeedItem = Omit<Activity['best'], 'valueCents'>

/** An entry, and what it is of. */
interface EntryRef {
  inventoryId: string
  itemId: string
}

/** The data of each event of `GET /api/feed`, by event name. */
interface Events {
  open: Activity
  /** Opens without events of their own. */
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
  /** Bids have changed; empty fields mean that it isn't about one entry or item. */
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
    /** Number of the market event, the same for all clients. */
    id: string
    kind: Kind
    data: Events[Kind]
    /** It is about an entry or bid of the signed-in user. */
    own?: boolean
  }
}[K]
