import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { useNewListings, useListings } from '@/api/marketplace'
import { marketTexts } from './texts'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { NewRowsButton } from '@/components/ui/new-rows-button'
import { ItemGrid } from '@/components/item-grid'
import { ListingCard } from './listing-card'
import { useFilter } from './use-filter'

interface ListingsProps {
  /** The user's balance; undefined while loading. */
  balanceCents: number | undefined
}

/** The marketplace's listings. Signed out it shows placeholders behind the wallet gate. */
export function Listings({ balanceCents }: ListingsProps) {
  const t = marketTexts.useT().trade
  const { filter: filterTexts } = marketTexts.useT().market
  const { filter, clear } = useFilter()
  const filtered = Object.keys(filter).length > 0
  return (
    <div className="scroll-mt-10">
      <NewRowsButton {...useNewListings(filter)} />
      <ItemGrid
        list={useListings(filter)}
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
        {(listing) => <ListingCard listing={listing} balanceCents={balanceCents} />}
      </ItemGrid>
    </div>
  )
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
