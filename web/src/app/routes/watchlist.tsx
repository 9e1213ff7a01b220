import { Watchlist } from '@/features/alerts/watchlist'
import { alertsTexts } from '@/features/alerts/texts'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function WatchlistPage() {
  const t = alertsTexts.useT()
  return (
    <>
      <PageHeader title={t.watchlist.title} text={t.watchlist.text} />
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <Watchlist />
      </WalletGate>
    </>
  )
}
