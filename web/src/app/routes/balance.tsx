import { Link } from '@tanstack/react-router'
import { Coins } from 'lucide-react'
import { TransactionHistory } from '@/features/wallet/transaction-history'
import { walletTexts } from '@/features/wallet/texts'
import { useT } from '@/i18n'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function BalancePage() {
  const t = walletTexts.useT().balance
  const { shell } = useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <Button asChild variant="secondary">
          <Link to="/topup">
            <Coins aria-hidden />
            <span>{shell.nav.topUp}</span>
          </Link>
        </Button>
      </PageHeader>
      <WalletGate title={t.signInTitle} button={shell.user.connectWallet}>
        <TransactionHistory />
      </WalletGate>
    </>
  )
}
