import { useQuery } from '@tanstack/react-query'
import { entryBookQuery, itemBookQuery } from '@/api/bids'
import type { Bid, EntryLife, ItemDetail } from '@/contract/types'
import { BidButton } from './bid-button'
import { Book } from './book'
import { MyBid, useHasBid } from './my-bid'
import { bidsTexts } from './texts'

/** What is asked and bid for an item, the visitor's bid for it, and the way to one. */
export function ItemBids({ item }: { item: ItemDetail }) {
  const t = bidsTexts.useT().bids
  const isFor = ({ scope }: Bid) => scope.itemId === item.id
  return (
    <>
      <Book query={useQuery(itemBookQuery(item.id))} />
      <MyBid isFor={isFor} />
      {!useHasBid(isFor) && (
        <BidButton subject={{ scope: { itemId: item.id }, item }} aria-label={t.bidFor(item.name)} className="mt-5">
          {t.bid}
        </BidButton>
      )}
    </>
  )
}

/** The same for one entry of somebody else's. */
export function EntryBids({ entry: { id, item, state } }: { entry: EntryLife }) {
  const t = bidsTexts.useT().bids
  const isFor = ({ scope }: Bid) => scope.inventoryId === id
  const hasBid = useHasBid(isFor)
  return (
    <>
      <Book query={useQuery(entryBookQuery(id))} />
      <MyBid isFor={isFor} />
      {!hasBid && (state === 'held' || state === 'listed') && (
        <BidButton subject={{ scope: { inventoryId: id }, item }} className="mt-5">
          {t.bidForThis}
        </BidButton>
      )}
    </>
  )
}
