import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { itemQuery } from '@/api/items'
import { salesQuery } from '@/api/activity'
import { HandleLink } from '@/components/handle-link'
import { Points, PointWorth } from '@/components/points'
import { usePackName } from '@/i18n/names'
import { itemTexts } from './texts'
import { config } from '@/lib/config'
import type { KeptItem } from '@/contract/on-sale'
import { cn } from '@/lib/cn'
import { dollars, number, percent } from '@/lib/format'
import { oneIn } from '@/lib/one-in'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import type { Fact } from '@/components/ui/facts'
import { NewRowsButton } from '@/components/ui/new-rows-button'
import { Loaded } from '@/components/ui/loaded'
import { Table } from '@/components/ui/table'
import { ItemHeader, ItemHeaderSkeleton } from './item-header'
import { EmptyText, Section } from './section'
import { Sales } from './sales'
import { searchTextOf } from './search-text'
import { NotFound } from './not-found'
import { ValueHistory } from './value-history'

/** Cart controls. */
interface CartSlots {
  /** Beside each listing. */
  add: (listing: KeptItem['listings'][number]) => ReactNode
  /** Below all of them. */
  sweep: ReactNode
}

interface ItemPageProps {
  id: string
  /** Buttons to buy, bid and sell, passed in by the route. */
  main: (item: KeptItem) => ReactNode
  actions: (item: KeptItem) => ReactNode
  /** The order book, passed in by the route. */
  market: (item: KeptItem) => ReactNode
  cart: (item: KeptItem) => CartSlots
}

/** A catalogue item: odds, listings, values and sales. */
export function ItemPage({ id, main, actions, market, cart }: ItemPageProps) {
  const t = itemTexts.useT()
  return (
    <Loaded
      query={useQuery(itemQuery(id))}
      failed={t.failed}
      skeleton={<ItemHeaderSkeleton />}
      unknown={<NotFound title={t.unknown} text={t.unknownText} />}
    >
      {(item) => (
        <Detail item={item} main={main(item)} actions={actions(item)} market={market(item)} cart={cart(item)} />
      )}
    </Loaded>
  )
}

interface PartProps {
  item: KeptItem
}

interface DetailProps extends PartProps {
  main: ReactNode
  actions: ReactNode
  market: ReactNode
  cart: CartSlots
}

function Detail({ item, main, actions, market, cart }: DetailProps) {
  return (
    <div className="space-y-6">
      <ItemHeader item={item} main={main} facts={useFacts(item)} actions={actions} />
      <ValueHistory values={item.values} />
      {config.rules.market && <Sales id={item.id} />}
      {market}
      <div className={cn('grid items-start gap-6', config.rules.market && 'lg:grid-cols-2')}>
        {config.rules.market && <Listings item={item} cart={cart} />}
        <Odds item={item} />
      </div>
    </div>
  )
}

interface SellerProps {
  user: KeptItem['listings'][number]['user']
}

function Seller({ user: { firstName, handle } }: SellerProps) {
  const { anonymous } = itemTexts.useT().listings
  return (
    <>
      <span>{firstName || anonymous}</span>
      {handle && <HandleLink handle={handle} className="ml-1.5 text-sm" />}
    </>
  )
}

/** Days of the median price at the top. */
const medianDays = 30

function useFacts({ id, baseValueCents, sellBackCents, listings }: KeptItem): Fact[] {
  const t = itemTexts.useT().facts
  const { rules } = config
  const cheapest = listings.find(({ gone }) => !gone)
  const { data: sales } = useQuery({ ...salesQuery(id), enabled: rules.market })
  const month = sales?.spans.find(({ days }) => days === medianDays)
  const median = month && month.count > 0 ? dollars(month.medianCents) : '–'
  const last = sales?.lastSaleCents === undefined ? '–' : dollars(sales.lastSaleCents)
  return [
    ...(rules.market && cheapest
      ? [{ label: t.lowestPrice, value: <Points cents={cheapest.salePriceCents} />, className: 'text-lg' }]
      : []),
    ...(rules.market
      ? [
          { label: t.lastSale, value: last },
          { label: t.median(number(medianDays)), value: median },
        ]
      : []),
    { label: t.baseValue, value: dollars(baseValueCents) },
    ...(rules.sellBack ? [{ label: t.sellBack, value: dollars(sellBackCents) }] : []),
  ]
}

const link = 'rounded-sm text-gold-text underline underline-offset-4'

function Odds({ item: { odds } }: PartProps) {
  const t = itemTexts.useT().odds
  const packName = usePackName()
  return (
    <Section title={t.title} text={t.text}>
      {odds.length === 0 ? (
        <EmptyText text={t.none} />
      ) : (
        <Table
          caption={t.title}
          rows={odds}
          idOf={({ packId }) => packId}
          roomy
          columns={[
            {
              head: t.pack,
              cell: ({ packId, isActive, ...pack }) => (
                <span className="inline-flex flex-wrap items-center gap-2">
                  <Link to="/pack/$packId" params={{ packId }} className={link}>
                    {packName(pack)}
                  </Link>
                  {!isActive && <Badge>{t.paused}</Badge>}
                </span>
              ),
            },
            { head: t.price, cell: ({ priceCents }) => dollars(priceCents), className: 'text-right' },
            {
              head: t.chance,
              cell: ({ chance }) => percent(chance, 4),
              className: 'text-right',
              cellClassName: 'font-semibold',
            },
            {
              head: t.ratio,
              cell: ({ chance }) => (chance > 0 ? t.oneIn(oneIn(chance)) : '–'),
              className: 'text-right',
              cellClassName: 'text-muted-foreground',
            },
          ]}
        />
      )}
    </Section>
  )
}

function Listings({ item: { id, name, listings, fresh = [] }, cart }: PartProps & { cart: CartSlots }) {
  const t = itemTexts.useT().listings
  const { refetch } = useQuery(itemQuery(id))
  return (
    <Section
      title={t.title}
      more={
        listings.length > 0 && (
          <Button asChild variant="secondary" size="sm">
            <Link to="/marketplace" search={{ search: searchTextOf(name), sortBy: 'price-low' }}>
              <Store aria-hidden />
              <span>{t.buy}</span>
            </Link>
          </Button>
        )
      }
    >
      <NewRowsButton count={fresh.length} show={refetch} />
      {listings.length === 0 ? (
        <EmptyText text={t.none} />
      ) : (
        <>
          <Table
            caption={t.title}
            rows={listings}
            idOf={({ listingId }) => listingId}
            roomy
            columns={[
              { head: t.seller, cell: ({ user }) => <Seller user={user} /> },
              {
                head: t.where,
                cell: ({ vaulted }) => (vaulted ? t.vaulted : t.outside),
                cellClassName: 'text-muted-foreground',
              },
              {
                head: t.price,
                cell: ({ salePriceCents, gone }) => (gone ? <Badge>{t.gone[gone]}</Badge> : dollars(salePriceCents)),
                className: 'text-right',
                cellClassName: 'font-semibold',
              },
              { head: null, cell: (row) => (row.gone ? <div className="h-9" /> : cart.add(row)), className: 'w-9' },
            ]}
          />
          <PointWorth className="mt-3 block text-xs" />
          {cart.sweep}
        </>
      )}
    </Section>
  )
}
