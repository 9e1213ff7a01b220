import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { MarketHeader } from '@/features/market/market-header'
import { marketTexts } from '@/i18n/market'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { PageHeader } from '@/ui/page-header'
import { ShelfSkeleton } from '@/ui/shelf-skeleton'
import { WalletGate } from '@/ui/wallet-gate'

export { marketTexts as texts }

export function MarketplacePage() {
  const t = marketTexts.useT()
  const { status } = useSession()
  return (
    <>
      <PageHeader title={t.market.title} text={t.market.text}>
        <MarketHeader />
      </PageHeader>
      <WalletGate title={t.market.overlayTitle} text={t.market.overlayText} button={t.connectWallet}>
        {status === 'signed-in' ? (
          <EmptyState
            icon={<Store />}
            title={t.market.emptyTitle}
            text={t.market.emptyText}
            action={
              <Button asChild>
                <Link to="/open-packs">{t.openPacks}</Link>
              </Button>
            }
            className="panel rounded-2xl"
          />
        ) : (
          <ShelfSkeleton />
        )}
      </WalletGate>
    </>
  )
}
