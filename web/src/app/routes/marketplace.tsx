import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useFacets } from '@/api/marketplace'
import { useWallet } from '@/api/wallet'
import SavedSearches from '@/features/alerts/saved-searches'
import { FilterBar } from '@/features/market/filter-bar'
import { ConfirmPurchases } from '@/features/market/confirm-purchases'
import { ListingPlaceholders } from '@/features/market/listing-placeholders'
import { Listings } from '@/features/market/listings'
import { MarketHeader } from '@/features/market/market-header'
import { marketTexts } from '@/features/market/texts'
import { useFilter } from '@/features/market/use-filter'
import { config } from '@/lib/config'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { WalletGate } from '@/components/ui/wallet-gate'

// Its texts are those of bids.
const CategoryBidButton = lazy(() => import('@/features/bids/category-bid-button'))

export function MarketplacePage() {
  return config.rules.market ? <Market /> : <NoMarket />
}

/** In a house whose users do not trade. */
function NoMarket() {
  const { off, title } = marketTexts.useT().market.market
  usePageTitle(title)
  return (
    <EmptyState
      level={1}
      icon={<Store />}
      title={off.title}
      text={off.text}
      action={
        <Button asChild variant="secondary">
          <Link to="/rules">{off.rules}</Link>
        </Button>
      }
    />
  )
}

function Market() {
  const t = marketTexts.useT().market
  const { filter } = useFilter()
  const query = new URLSearchParams(Object.entries(filter).map(([field, value]) => [field, String(value)]))
  const wallet = useWallet()
  const { status } = useSession()
  const signedOut = status === 'signed-out' || (status === 'loading' && !config.session)
  return (
    <>
      <PageHeader title={t.market.title} text={t.market.text}>
        <MarketHeader />
      </PageHeader>
      <WalletGate title={t.market.signInTitle} button={t.connectWallet}>
        <FilterBar facets={useFacets(filter).data} />
        {signedOut ? (
          <ListingPlaceholders />
        ) : (
          <>
            <div className="flex flex-wrap items-start justify-between gap-x-6">
              <SavedSearches query={query.toString()} />
              <div className="mb-6 ml-auto flex flex-wrap items-center gap-x-5 gap-y-2">
                <ConfirmPurchases />
                <Suspense fallback={<Skeleton className="h-8 w-36" />}>
                  <CategoryBidButton filter={filter} />
                </Suspense>
              </div>
            </div>
            <Listings balanceCents={wallet.data?.balanceCents} />
          </>
        )}
      </WalletGate>
    </>
  )
}
