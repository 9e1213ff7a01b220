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

export function MarketplacePage() {
  const t = marketTexts.useT()
  const wallet = useWallet()
  return (
    <>
      <PageHeader title={t.market.title} text={t.market.text}>
        <MarketHeader />
      </PageHeader>
      <WalletGate title={t.market.overlayTitle} text={t.market.overlayText} button={t.connectWallet}>
        <FilterBar />
        <LikeThis />
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
    <div className="-mt-2 mb-5 flex justify-end">
      <BidButton variant="secondary" size="sm" subject={{ scope: criterionOf(filter) }}>
        {t.button}
      </BidButton>
    </div>
  )
}
