import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { FeedEvent, FeedKind } from '@/contract/feed'
import type { Pack } from '@/contract/types'
import { ownedKeys } from '../invalidations'
import { keys } from '../keys'
import { patches } from './patches'
import { sharedPace, ownPace, type Refresher } from './refresher'

type InvalidatedBy = { [K in FeedKind]: (data: FeedEvent<K>['data']) => readonly QueryKey[] }

const ownKeys = [...ownedKeys, keys.wallet, keys.bids, keys.myTrades, keys.alerts]

/** Queries that depend on an item's listings. Listings on screen are updated in place: see `patches`. */
const listingKeys = (itemId: string, inventoryId: string) => [
  keys.facets,
  keys.itemBook(itemId),
  keys.entry(inventoryId),
  keys.watched,
  keys.setPages,
]

/** The shared queries that each event invalidates. */
const invalidatedBy: InvalidatedBy = {
  open: ({ pack }) => [keys.pack(pack.id)],
  more: ({ packIds }) => packIds.map(keys.pack),
  listing: ({ item, inventoryId }) => listingKeys(item.id, inventoryId),
  delisted: ({ itemId, inventoryId }) => listingKeys(itemId, inventoryId),
  sale: ({ item, inventoryId }) => [...listingKeys(item.id, inventoryId), keys.itemSales(item.id)],
  left: ({ itemId, inventoryId }) => listingKeys(itemId, inventoryId),
  // A bid by criterion is in every order book.
  book: ({ itemId, inventoryId }) => [
    ...(inventoryId ? [keys.entry(inventoryId)] : [itemId ? keys.itemBook(itemId) : keys.itemBooks]),
    keys.openBids,
  ],
  value: ({ itemId }) => [keys.item(itemId), keys.itemBook(itemId), keys.packs, ...ownedKeys, keys.openBids],
  item: ({ itemId }) => [
    keys.item(itemId),
    keys.packs,
    keys.marketplace,
    keys.watchlist,
    keys.bids,
    keys.recentPulls,
    keys.lastSales,
    ...ownedKeys,
  ],
  leaderboard: () => [keys.leaderboard],
  reset: () => [
    keys.recentPulls,
    keys.trades,
    keys.packs,
    keys.marketplace,
    keys.items,
    keys.itemBooks,
    keys.entries,
    keys.watchlist,
    keys.leaderboard,
    ...ownKeys,
  ],
}

/** Applies events to the cache: patches rows in place and refetches the rest. */
export function applyEvents(queryClient: QueryClient, { refresh }: Refresher): (event: FeedEvent) => void {
  return (event) => {
    const { kind, data } = event
    ;(patches[kind] as ((client: QueryClient, event: FeedEvent) => void) | undefined)?.(queryClient, event)
    for (const queryKey of (invalidatedBy[kind] as (eventData: typeof data) => readonly QueryKey[])(data))
      refresh({ queryKey }, sharedPace)
    if (kind === 'open' && hasSupply(queryClient, event.data.pack.id))
      refresh({ queryKey: keys.packs, exact: true }, sharedPace)
    if (!event.own) return
    // An expired bid returns the held money; no other event reports it.
    for (const queryKey of kind === 'book' ? [keys.wallet] : ownKeys) refresh({ queryKey }, ownPace)
  }
}

/** Whether the store counts the opens of a pack. */
function hasSupply(queryClient: QueryClient, packId: string): boolean {
  const packs = queryClient.getQueryData<Pack[]>(keys.packs)
  return packs?.some(({ id, supply }) => id === packId && supply >= 0) ?? false
}
