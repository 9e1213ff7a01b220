import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { entryBookQuery, itemBookQuery } from '@/api/bids'
import { useMyListings } from '@/api/inventory'
import { useRates } from '@/api/rates'
import { useWallet } from '@/api/wallet'
import { afterFee, percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import type { Bid } from '@/contract/types'
import { dollars, points } from '@/lib/format'
import { Points } from '@/components/points'
import { type Fact, Facts } from '@/components/ui/facts'
import type { BidFields } from './bid-schema'
import { bidBeatingKaibao, matchAsks, sellBackPrice, withoutOwn, priceFor, type BidPrice } from './bid-math'
import type { BidTarget } from './bid-target'
import { bidsTexts } from './texts'

interface BidSummaryProps {
  target: BidTarget
  bid: Bid | undefined
  pegged: boolean
  fields: BidFields
  /** The most it would pay for one item; undefined while the input is invalid. */
  maxCents: number | undefined
}

/** Previews the bid being edited: what it holds, what it fills right away, and whether it beats Kaibao's offer. */
export function BidSummary({ target: { scope, item }, bid, pegged, fields, maxCents }: BidSummaryProps) {
  const t = bidsTexts.useT().bids.form
  const { asks, valueCents } = useBook(scope)
  const wallet = useWallet()
  const rates = useRates()
  const quantity = scope.inventoryId ? 1 : Number(fields.quantity) || 0
  const value = valueCents ?? item?.baseValueCents
  const price: BidPrice = pegged
    ? { pegPercent: Number(fields.pegPercent), capCents: maxCents }
    : { priceCents: maxCents }
  const pays = maxCents === undefined ? undefined : value === undefined ? maxCents : priceFor(price, value)
  const house = value === undefined ? undefined : sellBackPrice(value)
  const beatsFrom = house === undefined ? undefined : bidBeatingKaibao(house, rates.bid)
  const filled = matchAsks(asks, pays ?? 0, quantity)
  const held = (maxCents ?? 0) * quantity
  const available = (wallet.data?.balanceCents ?? 0) + (bid?.heldCents ?? 0)
  const facts: Fact[] = [
    ...(value === undefined ? [] : [{ label: t.value, value: dollars(value) }]),
    ...(beatsFrom === undefined ? [] : [{ label: t.beatsFrom, value: dollars(beatsFrom) }]),
    ...(pegged && value !== undefined && pays !== undefined ? [{ label: t.paysNow, value: dollars(pays) }] : []),
    ...(filled.count > 0
      ? [{ label: t.fills, value: t.fillsText(filled.count, dollars(filled.cents)), className: 'text-positive-text' }]
      : []),
    ...(maxCents === undefined
      ? []
      : [{ label: t.held, value: <Points cents={maxCents * (quantity - filled.count)} /> }]),
  ]
  return (
    <div className="space-y-2 rounded-xl border bg-background p-4 text-sm">
      {facts.length > 0 && <Facts facts={facts} />}
      {pays !== undefined && house !== undefined && beatsFrom !== undefined && filled.count < quantity && (
        <p className="text-pretty text-muted-foreground">
          {afterFee(pays, rates.bid) > house ? t.beats : t.below(dollars(beatsFrom), percentOf(rates.bid))}
        </p>
      )}
      <FeeChange of="bid" />
      <p className="text-pretty text-muted-foreground">{t.heldText}</p>
      {wallet.data && held > available && (
        <p className="text-warning-foreground">
          <span>{t.short(points(held - available))}</span>{' '}
          <Link to="/topup" className="rounded-sm text-gold-text underline underline-offset-4">
            {t.topUp}
          </Link>
        </p>
      )}
    </div>
  )
}

/** The target's current value, and the asks of other sellers. */
function useBook({ itemId = '', inventoryId = '' }: BidTarget['scope']) {
  const ofItem = useQuery({ ...itemBookQuery(String(itemId)), enabled: itemId !== '' })
  const ofEntry = useQuery({ ...entryBookQuery(String(inventoryId)), enabled: inventoryId !== '' })
  const { data: own } = useMyListings()
  if (inventoryId !== '') return { valueCents: ofEntry.data?.valueCents, asks: ofEntry.data?.asks ?? [] }
  const prices = (own ?? []).filter(({ item }) => item.id === itemId).map(({ salePriceCents }) => salePriceCents ?? 0)
  return { valueCents: ofItem.data?.valueCents, asks: withoutOwn(ofItem.data?.asks ?? [], prices) }
}
