import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNewListings, useListings } from '@/api/marketplace'
import { marketTexts } from './texts'
import type { KeptListing } from '@/contract/on-sale'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { NewRowsButton } from '@/components/ui/new-rows-button'
import { ItemGrid } from '@/components/item-grid'
import { type Purchase, withPurchases } from './kept-purchases'
import { ListingCard } from './listing-card'
import { useFilter } from './use-filter'

interface ListingsProps {
  /** The user's balance; undefined while loading. */
  balanceCents: number | undefined
}

/** The marketplace's listings. What the user buys stays in its place until the filter changes. */
export function Listings({ balanceCents }: ListingsProps) {
  const t = marketTexts.useT().trade
  const { filter: filterTexts } = marketTexts.useT().market
  const { filter, clear } = useFilter()
  const filtered = Object.keys(filter).length > 0
  const listings = useListings(filter)
  const { purchases, add } = usePurchases(JSON.stringify(filter))
  const { data } = listings
  const rows = useMemo(() => data && withPurchases(data, purchases), [data, purchases])
  return (
    <div className="scroll-mt-10">
      <NewRowsButton {...useNewListings(filter)} />
      <ItemGrid
        list={{ ...listings, data: rows }}
        label={t.list}
        failed={t.failed}
        idOf={({ id }) => id}
        noMatch={
          filtered
            ? { title: t.noMatchTitle, text: t.noMatchText, clear: filterTexts.clearAll, onClear: clear }
            : undefined
        }
        empty={<Empty />}
      >
        {(listing) => (
          <ListingCard
            listing={listing}
            balanceCents={balanceCents}
            // The entry may be listed again later, under another listing id.
            bought={purchases.some((bought) => bought.listing.listingId === listing.listingId)}
            onBought={() => add(listing, rows ?? [])}
          />
        )}
      </ItemGrid>
    </div>
  )
}

const none: readonly Purchase[] = []

/** What the user has bought since the filter last changed. */
function usePurchases(filter: string) {
  const [made, setMade] = useState({ filter, purchases: none })
  const purchases = made.filter === filter ? made.purchases : none
  function add(listing: KeptListing, rows: readonly KeptListing[]) {
    const place = rows.findIndex(({ id }) => id === listing.id)
    const before = rows.slice(0, Math.max(place, 0)).map(({ id }) => id)
    setMade({ filter, purchases: [...purchases, { listing, before }] })
  }
  return { purchases, add }
}

function Empty() {
  const t = marketTexts.useT().market
  return (
    <EmptyState
      icon={<Store />}
      title={t.market.emptyTitle}
      text={t.market.emptyText}
      action={
        <div className="flex gap-3">
          <Button asChild>
            <Link to="/open-packs">{t.openPacks}</Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to="/my-collection">{t.myCollection}</Link>
          </Button>
        </div>
      }
      className="panel rounded-2xl"
    />
  )
}
