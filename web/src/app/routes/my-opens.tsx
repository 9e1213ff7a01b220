import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { Opens } from '@/features/inventory/opens'
import { inventoryTexts } from '@/features/inventory/texts'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function MyOpensPage() {
  const { connectWallet } = inventoryTexts.useT().collection
  const t = inventoryTexts.useT().opens
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.signInTitle} button={connectWallet}>
        <Opens
          verify={({ openId }) => (
            <Button asChild size="sm" variant="secondary">
              <Link to="/verify/$openId" params={{ openId }}>
                <ShieldCheck aria-hidden />
                <span>{t.verify}</span>
              </Link>
            </Button>
          )}
        />
      </WalletGate>
    </>
  )
}
