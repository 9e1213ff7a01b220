import { useWallet } from '@/api/wallet'
import { FilterBar } from '@/features/market/filter-bar'
import { Listings } from '@/features/market/listings'
import { MarketHeader } from '@/features/market/market-header'
import { marketTexts } from '@/features/market/texts'
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
        <Listings balanceCents={wallet.data?.balanceCents} />
      </WalletGate>
    </>
  )
}
