import type { QueryClient } from '@tanstack/react-query'
import type { FeedEvent, FeedKind } from '@/contract/feed'
import type { Gone, KeptItem, KeptListing } from '@/contract/on-sale'
import type { Activity, ItemFilter, Trade } from '@/contract/types'
import { keys } from '../keys'
import type { TradeFilter } from '../activity'
import { withId, updateActive, isPaged, type PagedData, withChanged, withChangedPage, withNewRow } from './cached-lists'
import { listingPasses, salePasses } from './filters'

type Patches = { [K in FeedKind]?: (queryClient: QueryClient, event: FeedEvent<K>) => void }

const maxPulls = 20
const maxSales = 8

/** Updates of rows on screen by event, without a request. */
export const patches: Patches = {
  open: (queryClient, { data: pull }) =>
    updateActive<Activity[]>(queryClient, { queryKey: keys.recentPulls }, (pulls) =>
      pulls.some(({ id }) => id === pull.id) ? undefined : [pull, ...pulls].slice(0, maxPulls),
    ),
  listing: (queryClient, { data }) => applyListing(queryClient, data),
  delisted: (queryClient, { data }) => removeListing(queryClient, data, 'withdrawn'),
  left: (queryClient, { data }) => removeListing(queryClient, data, 'withdrawn'),
  sale(queryClient, { id, data }) {
    removeListing(queryClient, { inventoryId: data.inventoryId, itemId: data.item.id }, 'sold')
    applySale(queryClient, id, data)
  },
  value: (queryClient, { data: { itemId, valueCents } }) => {
    updateActive<unknown>(queryClient, { queryKey: keys.marketplace }, (list) =>
      isPaged<KeptListing>(list) ? revalued(list, itemId, valueCents) : undefined,
    )
  },
}

type Listing = FeedEvent<'listing'>['data']

/** A new or repriced listing: rows on screen get the price; in other lists it counts as new. */
function applyListing(queryClient: QueryClient, offered: Listing): void {
  const { inventoryId, listingId, priceCents, item } = offered
  const priced = <T extends object>(listing: T): T => ({
    ...listing,
    listingId,
    salePriceCents: priceCents,
    gone: undefined,
  })
  updateActive<unknown>(queryClient, { queryKey: keys.marketplace }, (list, { queryKey }) => {
    if (!isPaged<KeptListing>(list)) return undefined
    const found = withChangedPage(list, inventoryId, priced)
    return (
      found ?? (listingPasses(offered, queryKey[1] as ItemFilter) ? withNewRow(list, inventoryId, true) : undefined)
    )
  })
  updateActive<KeptItem>(queryClient, { queryKey: keys.item(item.id), exact: true }, (detail) => {
    const listings = withChanged(detail.listings, inventoryId, priced)
    return listings ? { ...detail, listings } : { ...detail, fresh: withId(detail.fresh, inventoryId, true) }
  })
}

/** A listing ended: rows on screen are marked and stay in place. */
function removeListing(queryClient: QueryClient, { inventoryId, itemId }: FeedEvent<'left'>['data'], gone: Gone): void {
  const ended = <T extends object>(listing: T): T => ({ ...listing, gone })
  updateActive<unknown>(queryClient, { queryKey: keys.marketplace }, (list) => {
    if (!isPaged<KeptListing>(list)) return undefined
    return withChangedPage(list, inventoryId, ended) ?? withNewRow(list, inventoryId, false)
  })
  updateActive<KeptItem>(queryClient, { queryKey: keys.item(itemId), exact: true }, (detail) => {
    const listings = withChanged(detail.listings, inventoryId, ended)
    return listings ? { ...detail, listings } : { ...detail, fresh: withId(detail.fresh, inventoryId, false) }
  })
}

/** Adds a sale to the latest sales, and counts it as new above lists of trades. */
function applySale(queryClient: QueryClient, id: string, sold: FeedEvent<'sale'>['data']): void {
  const { item, ...rest } = sold
  const trade: Trade = { ...rest, id, itemId: item.id, itemName: item.name, imageUrl: item.imageUrl }
  const isSame = ({ inventoryId, at }: Trade) =>
    inventoryId === trade.inventoryId && Date.parse(at) === Date.parse(trade.at)
  updateActive<Trade[]>(queryClient, { queryKey: keys.lastSales }, (sales) =>
    sales.some(isSame) ? undefined : [trade, ...sales].slice(0, maxSales),
  )
  updateActive<unknown>(queryClient, { queryKey: keys.publicTrades }, (list, { queryKey }) => {
    if (!isPaged<Trade>(list) || !salePasses(sold, queryKey[2] as TradeFilter)) return undefined
    return list.pages[0]?.entries.some(isSame) ? undefined : withNewRow(list, id, true)
  })
}

function revalued(list: PagedData<KeptListing>, itemId: string, baseValueCents: number): PagedData<KeptListing> {
  const update = (entry: KeptListing) =>
    entry.item.id === itemId ? { ...entry, item: { ...entry.item, baseValueCents } } : entry
  return { ...list, pages: list.pages.map((page) => ({ ...page, entries: page.entries.map(update) })) }
}
