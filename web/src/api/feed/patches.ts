import type { QueryClient } from '@tanstack/react-query'
import type { FeedEvent, FeedKind } from '@/contract/feed'
import type { Gone, KeptItem, KeptListing } from '@/contract/on-sale'
import type { Activity, ItemFilter, Trade } from '@/contract/types'
import { keys } from '../keys'
import type { TradeFilter } from '../trades'
import { freshWith, inPlace, isPages, type Pages, withChanged, withChangedPage, withFresh } from './lists'
import { listingPasses, salePasses } from './passes'

type Patches = { [K in FeedKind]?: (queryClient: QueryClient, event: FeedEvent<K>) => void }

const mostPulls = 20
const mostSales = 8

/** What an event changes where it stands, without asking the server. */
export const patches: Patches = {
  open: (queryClient, { data: pull }) =>
    inPlace<Activity[]>(queryClient, { queryKey: keys.activity }, (pulls) =>
      pulls.some(({ id }) => id === pull.id) ? undefined : [pull, ...pulls].slice(0, mostPulls),
    ),
  listing: (queryClient, { data }) => offer(queryClient, data),
  delisted: (queryClient, { data }) => take(queryClient, data, 'withdrawn'),
  left: (queryClient, { data }) => take(queryClient, data, 'withdrawn'),
  sale(queryClient, { id, data }) {
    take(queryClient, { inventoryId: data.inventoryId, itemId: data.item.id }, 'sold')
    tell(queryClient, id, data)
  },
  value: (queryClient, { data: { itemId, valueCents } }) => {
    inPlace<unknown>(queryClient, { queryKey: keys.marketplace }, (list) =>
      isPages<KeptListing>(list) ? revalued(list, itemId, valueCents) : undefined,
    )
  },
}

type Offered = FeedEvent<'listing'>['data']

/** Something is for sale: what is shown of it has its price, all else is announced. */
function offer(queryClient: QueryClient, offered: Offered): void {
  const { inventoryId, listingId, priceCents, item } = offered
  const priced = <T extends object>(listing: T): T => ({
    ...listing,
    listingId,
    salePriceCents: priceCents,
    gone: undefined,
  })
  inPlace<unknown>(queryClient, { queryKey: keys.marketplace }, (list, { queryKey }) => {
    if (!isPages<KeptListing>(list)) return undefined
    const found = withChangedPage(list, inventoryId, priced)
    return found ?? (listingPasses(offered, queryKey[1] as ItemFilter) ? withFresh(list, inventoryId, true) : undefined)
  })
  inPlace<KeptItem>(queryClient, { queryKey: keys.item(item.id), exact: true }, (detail) => {
    const listings = withChanged(detail.listings, inventoryId, priced)
    return listings ? { ...detail, listings } : { ...detail, fresh: freshWith(detail.fresh, inventoryId, true) }
  })
}

/** Something cannot be bought any more: whoever looks at it sees that, and nothing moves. */
function take(queryClient: QueryClient, { inventoryId, itemId }: FeedEvent<'left'>['data'], gone: Gone): void {
  const ended = <T extends object>(listing: T): T => ({ ...listing, gone })
  inPlace<unknown>(queryClient, { queryKey: keys.marketplace }, (list) => {
    if (!isPages<KeptListing>(list)) return undefined
    return withChangedPage(list, inventoryId, ended) ?? withFresh(list, inventoryId, false)
  })
  inPlace<KeptItem>(queryClient, { queryKey: keys.item(itemId), exact: true }, (detail) => {
    const listings = withChanged(detail.listings, inventoryId, ended)
    return listings ? { ...detail, listings } : { ...detail, fresh: freshWith(detail.fresh, inventoryId, false) }
  })
}

/** A sale is told where the last ones stand, and announced above lists of trades. */
function tell(queryClient: QueryClient, id: string, sold: FeedEvent<'sale'>['data']): void {
  const { item, ...rest } = sold
  const trade: Trade = { ...rest, id, itemId: item.id, itemName: item.name, imageUrl: item.imageUrl }
  const isSame = ({ inventoryId, at }: Trade) =>
    inventoryId === trade.inventoryId && Date.parse(at) === Date.parse(trade.at)
  inPlace<Trade[]>(queryClient, { queryKey: keys.lastSales }, (sales) =>
    sales.some(isSame) ? undefined : [trade, ...sales].slice(0, mostSales),
  )
  inPlace<unknown>(queryClient, { queryKey: keys.everybodysTrades }, (list, { queryKey }) => {
    if (!isPages<Trade>(list) || !salePasses(sold, queryKey[2] as TradeFilter)) return undefined
    return list.pages[0]?.entries.some(isSame) ? undefined : withFresh(list, id, true)
  })
}

function revalued(list: Pages<KeptListing>, itemId: string, baseValueCents: number): Pages<KeptListing> {
  const entry = (one: KeptListing) => (one.item.id === itemId ? { ...one, item: { ...one.item, baseValueCents } } : one)
  return { ...list, pages: list.pages.map((page) => ({ ...page, entries: page.entries.map(entry) })) }
}
