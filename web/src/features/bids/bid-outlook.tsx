import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { entryBookQuery, itemBookQuery } from '@/api/bids'
import { useMyListings } from '@/api/inventory'
import { useRates } from '@/api/rates'
import { useWallet } from '@/api/wallet'
import { afterFee, percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import type { Bid } from '@/contract/types'
import { dollars } from '@/lib/format'
import { type Fact, Facts } from '@/components/ui/facts'
import type { Typed } from './bid-schema'
import { beatsHouse, crossing, houseFor, others, paysFor, type Price } from './rules'
import type { Subject } from './subject'
import { bidsTexts } from './texts'

interface BidOutlookProps {
  subject: Subject
  bid: Bid | undefined
  pegged: boolean
  typed: Typed
  /** The most that it would pay for one, in cents; undefined while that is none. */
  most: number | undefined
}

/** What comes of the bid as it is typed: what is held, what is bought at once, and whether a seller had better sell to the house. */
export function BidOutlook({ subject: { scope, item }, bid, pegged, typed, most }: BidOutlookProps) {
  const t = bidsTexts.useT().bids.form
  const { asks, valueCents } = useBook(scope)
  const wallet = useWallet()
  const rates = useRates()
  const quantity = scope.inventoryId ? 1 : Number(typed.quantity) || 0
  const value = valueCents ?? item?.baseValueCents
  const price: Price = pegged ? { pegPercent: Number(typed.pegPercent), capCents: most } : { priceCents: most }
  const pays = most === undefined ? undefined : value === undefined ? most : paysFor(price, value)
  const house = value === undefined ? undefined : houseFor(value)
  const from = house === undefined ? undefined : beatsHouse(house, rates.bid)
  const bought = crossing(asks, pays ?? 0, quantity)
  const held = (most ?? 0) * quantity
  const free = (wallet.data?.balanceCents ?? 0) + (bid?.heldCents ?? 0)
  const facts: Fact[] = [
    ...(value === undefined ? [] : [{ label: t.value, value: dollars(value) }]),
    ...(from === undefined ? [] : [{ label: t.beatsFrom, value: dollars(from) }]),
    ...(pegged && value !== undefined && pays !== undefined ? [{ label: t.paysNow, value: dollars(pays) }] : []),
    ...(bought.count > 0
      ? [{ label: t.fills, value: t.fillsText(bought.count, dollars(bought.cents)), className: 'text-positive-text' }]
      : []),
    ...(most === undefined ? [] : [{ label: t.held, value: dollars(most * (quantity - bought.count)) }]),
  ]
  return (
    <div className="space-y-2 rounded-xl border bg-background p-4 text-sm">
      <Facts facts={facts} />
      {pays !== undefined && house !== undefined && from !== undefined && bought.count < quantity && (
        <p className="text-pretty text-muted-foreground">
          {afterFee(pays, rates.bid) > house ? t.beats : t.below(dollars(from), percentOf(rates.bid))}
        </p>
      )}
      <FeeChange of="bid" />
      <p className="text-pretty text-muted-foreground">{t.heldText}</p>
      {wallet.data && held > free && (
        <p className="text-warning-foreground">
          <span>{t.short(dollars(held - free))}</span>{' '}
          <Link to="/topup" className="rounded-sm text-gold-text underline underline-offset-4">
            {t.topUp}
          </Link>
        </p>
      )}
    </div>
  )
}

/** The quote value of what is bid for, and what others sell of it. */
function useBook({ itemId = '', inventoryId = '' }: Subject['scope']) {
  const ofItem = useQuery({ ...itemBookQuery(String(itemId)), enabled: itemId !== '' })
  const ofEntry = useQuery({ ...entryBookQuery(String(inventoryId)), enabled: inventoryId !== '' })
  const { data: own } = useMyListings()
  if (inventoryId !== '') return { valueCents: ofEntry.data?.valueCents, asks: ofEntry.data?.asks ?? [] }
  const prices = (own ?? []).filter(({ item }) => item.id === itemId).map(({ salePriceCents }) => salePriceCents ?? 0)
  return { valueCents: ofItem.data?.valueCents, asks: others(ofItem.data?.asks ?? [], prices) }
}
