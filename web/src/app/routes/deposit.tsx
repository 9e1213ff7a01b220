import { Link, useParams } from '@tanstack/react-router'
import { Coins } from 'lucide-react'
import { DepositDetails as Deposit } from '@/features/wallet/deposit-details'
import { walletTexts } from '@/features/wallet/texts'
import { useT } from '@/i18n'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function DepositPage() {
  const t = walletTexts.useT().topup.deposit
  const { shell } = useT()
  const { depositId } = useParams({ from: '/deposit/$depositId' })
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <Button asChild variant="secondary">
          <Link to="/topup">
            <Coins aria-hidden />
            <span>{t.all}</span>
          </Link>
        </Button>
      </PageHeader>
      <WalletGate title={t.signInTitle} button={shell.user.connectWallet}>
        <Deposit key={depositId} id={depositId} />
      </WalletGate>
    </>
  )
}
