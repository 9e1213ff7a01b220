import { Link } from '@tanstack/react-router'
import { SearchX, Store } from 'lucide-react'
import { marketTexts } from '@/i18n/market'
import { tradeTexts } from '@/i18n/trade'
import { cn } from '@/lib/cn'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { EndlessGrid } from '@/ui/endless-grid'
import { ErrorState } from '@/ui/error-state'
import { ShelfCardSkeleton, shelfColumns, ShelfSkeleton } from '@/ui/shelf-skeleton'
import { useListings } from './api/listings'
import { ListingCard } from './listing-card'
import { useFilter } from './use-filter'

interface ListingsProps {
  /** The visitor's balance; undefined while it is unknown. */
  balanceCents: number | undefined
}

/** What is for sale. Without a wallet it shows the shape of a market and nothing of anybody's. */
export function Listings({ balanceCents }: ListingsProps) {
  const t = tradeTexts.useT()
  const { filter, clear } = useFilter()
  const listings = useListings(filter)
  if (listings.isLoadingError) {
    return <ErrorState title={t.failed} error={listings.error} retry={() => void listings.refetch()} />
  }
  if (!listings.data) return <ShelfSkeleton />
  return (
    <div
      aria-busy={listings.isPlaceholderData}
      className={cn('transition-opacity', listings.isPlaceholderData && 'opacity-60')}
    >
      {listings.data.length > 0 ? (
        <EndlessGrid
          list={listings}
          label={t.list}
          failed={t.failed}
          columns={shelfColumns}
          skeleton={<ShelfCardSkeleton />}
          idOf={({ id }) => id}
        >
          {(listing) => <ListingCard listing={listing} balanceCents={balanceCents} />}
        </EndlessGrid>
      ) : Object.keys(filter).length > 0 ? (
        <NoMatch clear={clear} />
      ) : (
        <Empty />
      )}
    </div>
  )
}

function NoMatch({ clear }: { clear: () => void }) {
  const t = tradeTexts.useT()
  const { filter } = marketTexts.useT()
  return (
    <EmptyState
      icon={<SearchX />}
      title={t.noMatchTitle}
      text={t.noMatchText}
      action={<Button onClick={clear}>{filter.clearAll}</Button>}
      className="panel rounded-2xl"
    />
  )
}

function Empty() {
  const t = marketTexts.useT()
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
