import { Link } from '@tanstack/react-router'
import { Truck } from 'lucide-react'
import { Claims } from '@/features/redemptions/claims'
import { redemptionsTexts } from '@/features/redemptions/texts'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function ClaimsPage() {
  const t = redemptionsTexts.useT().claims
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <Button asChild variant="secondary">
          <Link to="/claim">
            <Truck aria-hidden />
            <span>{t.shipItems}</span>
          </Link>
        </Button>
      </PageHeader>
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <Claims />
      </WalletGate>
    </>
  )
}
