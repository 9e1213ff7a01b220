import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { AlertList } from '@/features/alerts/alert-list'
import { alertsTexts } from '@/features/alerts/texts'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function AlertsPage() {
  const t = alertsTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <Button asChild variant="secondary">
          <Link to="/watchlist">
            <Eye aria-hidden />
            <span>{t.watchlist.title}</span>
          </Link>
        </Button>
      </PageHeader>
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <AlertList />
      </WalletGate>
    </>
  )
}
