import { Link } from '@tanstack/react-router'
import { Truck } from 'lucide-react'
import { Claims } from '@/features/claims/claims'
import { claimsTexts } from '@/features/claims/texts'
import { Button } from '@/ui/button'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

export function ClaimsPage() {
  const t = claimsTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <Button asChild variant="secondary">
          <Link to="/claim">
            <Truck aria-hidden />
            <span>{t.claimMore}</span>
          </Link>
        </Button>
      </PageHeader>
      <WalletGate title={t.overlayTitle} text={t.overlayText} button={t.connectWallet}>
        <Claims />
      </WalletGate>
    </>
  )
}
