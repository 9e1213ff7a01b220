import { lazy, Suspense } from 'react'
import { useFacets } from '@/api/listings'
import { useWallet } from '@/api/wallet'
import { BidButton } from '@/features/bids/bid-button'
import { criterionOf } from '@/features/bids/criterion'
import { bidTexts } from '@/features/bids/texts'
import { FilterBar } from '@/features/market/filter-bar'
import { Listings } from '@/features/market/listings'
import { MarketHeader } from '@/features/market/market-header'
import { marketTexts } from '@/features/market/texts'
import { useFilter } from '@/features/market/use-filter'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

const SavedSearches = lazy(() => import('@/features/alerts/saved-searches'))

export function MarketplacePage() {
  const t = marketTexts.useT()
  const { filter } = useFilter()
  const query = new URLSearchParams(Object.entries(filter).map(([field, value]) => [field, String(value)]))
  const wallet = useWallet()
  return (
    <>
      <PageHeader title={t.market.title} text={t.market.text}>
        <MarketHeader />
      </PageHeader>
      <WalletGate title={t.market.overlayTitle} text={t.market.overlayText} button={t.connectWallet}>
        <FilterBar facets={useFacets(filter).data} />
        <div className="flex flex-wrap items-start justify-between gap-x-6">
          <Suspense fallback={<div className="mb-6 h-9" />}>
            <SavedSearches query={query.toString()} />
          </Suspense>
          <LikeThis />
        </div>
        <Listings balanceCents={wallet.data?.balanceCents} />
      </WalletGate>
    </>
  )
}

/** Bids for whatever passes the filters, as far as a bid can ask for it. */
function LikeThis() {
  const t = bidTexts.useT().like
  const { filter } = useFilter()
  return (
    <BidButton variant="secondary" size="sm" className="mb-6 ml-auto" subject={{ scope: criterionOf(filter) }}>
      {t.button}
    </BidButton>
  )
}
