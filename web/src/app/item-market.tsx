import { EntryBids, ItemBids } from '@/features/bids/item-bids'
import { ReceivedBids } from '@/features/bids/received-bids'
import { bidsTexts } from '@/features/bids/texts'
import { Section } from '@/features/item/section'
import type { EntryLife, ItemDetail } from '@/contract/types'

/** The order book of an item. */
export function ItemMarket({ item }: { item: ItemDetail }) {
  const { title, text } = bidsTexts.useT().bids.book
  return (
    <Section title={title} text={text}>
      <ItemBids item={item} />
    </Section>
  )
}

interface EntryMarketProps {
  entry: EntryLife
  /** Opens quick sell for the entry; undefined if it can't be sold to Kaibao now. */
  onQuickSell: (() => void) | undefined
}

/** Bids for an entry: its owner accepts them, others outbid them. Nothing once it was sold back or shipped. */
export function EntryMarket({ entry, onQuickSell }: EntryMarketProps) {
  const t = bidsTexts.useT().bids
  const { title, text } = entry.own ? t.own : t.book
  if (!['held', 'listed', 'claimed'].includes(entry.state)) return null
  return (
    <Section title={title} text={text}>
      {entry.own ? <ReceivedBids entry={entry} onQuickSell={onQuickSell} /> : <EntryBids entry={entry} />}
    </Section>
  )
}
