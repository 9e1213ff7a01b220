import type { QueryClient } from '@tanstack/react-query'
import type { FeedEvent } from '@/contract/feed'
import type { Bid, EntryLife } from '@/contract/types'
import { keys } from '../keys'
import { isPaged } from './cached-lists'

type Sold = FeedEvent<'sale'>['data']

interface MaybeOwn {
  id: string
  own?: boolean
}

/** The entries of a cached list, paged or not. */
function entriesOf(data: unknown): readonly MaybeOwn[] {
  const lists = isPaged<MaybeOwn>(data) ? data.pages.map(({ entries }) => entries) : Array.isArray(data) ? [data] : []
  return lists.flat() as MaybeOwn[]
}

/** Whether an entry is known to be the visitor's: from their own lists, their listings, or its page. */
export function isOwnEntry(queryClient: QueryClient, inventoryId: string): boolean {
  const listed = (queryKey: readonly string[], counts: (entry: MaybeOwn) => boolean) =>
    queryClient
      .getQueriesData({ queryKey })
      .some(([, data]) => entriesOf(data).some((entry) => entry.id === inventoryId && counts(entry)))
  return (
    queryClient.getQueryData<EntryLife>(keys.entry(inventoryId))?.own === true ||
    [keys.inventory, keys.vault, keys.vaultCards].some((key) => listed(key, () => true)) ||
    listed(keys.marketplace, ({ own }) => own === true)
  )
}

/** Whether a sale may be one by the visitor, of what the page does not know to be theirs: a bid, or an answer to one. */
export function mayBeOwnSale(queryClient: QueryClient, { kind, inventoryId, item }: Sold): boolean {
  if (kind === 'listing') return false
  if (kind === 'counter') return queryClient.getQueryData(keys.wallet) !== undefined
  return mayHaveBidFor(queryClient, (scope) => {
    const single = scope.inventoryId ?? scope.itemId
    return single === undefined || String(single) === (scope.inventoryId === undefined ? item.id : inventoryId)
  })
}

/** Whether one of the visitor's open bids matches. If the bids aren't cached, any held money counts as a match. */
export function mayHaveBidFor(queryClient: QueryClient, counts: (scope: Bid['scope']) => boolean): boolean {
  const wallet = queryClient.getQueryData<{ heldCents: number }>(keys.wallet)
  const bids = queryClient.getQueryData<Bid[]>(keys.openBids)
  if (!wallet || !bids) return wallet !== undefined && wallet.heldCents > 0
  return bids.some(({ scope }) => counts(scope))
}
