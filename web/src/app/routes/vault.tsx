import { Link } from '@tanstack/react-router'
import { Vault } from 'lucide-react'
import { ShelfSkeleton } from '@/features/market/shelf-skeleton'
import { marketTexts } from '@/i18n/market'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

export { marketTexts as texts }

export function VaultPage() {
  const t = marketTexts.useT()
  const { status } = useSession()
  return (
    <>
      <PageHeader title={t.vault.title} text={t.vault.text} />
      <WalletGate title={t.vault.overlayTitle} text={t.vault.overlayText} button={t.connectWallet}>
        {status === 'signed-in' ? (
          <EmptyState
            icon={<Vault />}
            title={t.vault.comingSoon}
            text={t.vault.emptyText}
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
        ) : (
          <ShelfSkeleton />
        )}
      </WalletGate>
    </>
  )
}
