import { useQuery } from '@tanstack/react-query'
import { entryBookQuery, itemBookQuery } from '@/api/bids'
import type { Bid, EntryLife, ItemDetail } from '@/contract/types'
import { BidButton } from './bid-button'
import { OrderBookTables } from './order-book'
import { MyBid, useHasBid } from './my-bid'
import { bidsTexts } from './texts'

/** An item's order book with the user's bid, or a button to place one. */
export function ItemBids({ item }: { item: ItemDetail }) {
  const t = bidsTexts.useT().bids
  const matches = ({ scope }: Bid) => scope.itemId === item.id
  return (
    <>
      <OrderBookTables query={useQuery(itemBookQuery(item.id))} />
      <MyBid matches={matches} />
      {!useHasBid(matches) && (
        <BidButton
          variant="secondary"
          target={{ scope: { itemId: item.id }, item }}
          aria-label={t.bidFor(item.name)}
          className="mt-5"
        >
          {t.bid}
        </BidButton>
      )}
    </>
  )
}

/** The button on top of an item's page, unless the user has a bid on the item. */
export function PlaceBid({ item, primary }: { item: ItemDetail; primary: boolean }) {
  const t = bidsTexts.useT().bids
  if (useHasBid(({ scope }) => scope.itemId === item.id)) return null
  return (
    <BidButton size="lg" variant={primary ? 'primary' : 'secondary'} target={{ scope: { itemId: item.id }, item }}>
      {t.place}
    </BidButton>
  )
}

/** The order book of another user's entry, with the user's bid or a button to place one. */
export function EntryBids({ entry: { id, item, state } }: { entry: EntryLife }) {
  const t = bidsTexts.useT().bids
  const matches = ({ scope }: Bid) => scope.inventoryId === id
  const hasBid = useHasBid(matches)
  return (
    <>
      <OrderBookTables query={useQuery(entryBookQuery(id))} />
      <MyBid matches={matches} />
      {!hasBid && (state === 'held' || state === 'listed') && (
        <BidButton target={{ scope: { inventoryId: id }, item }} className="mt-5">
          {t.bidForThis}
        </BidButton>
      )}
    </>
  )
}
