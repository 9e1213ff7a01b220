import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { Opens } from '@/features/collection/opens'
import { useT } from '@/i18n'
import { Button } from '@/ui/button'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

export function MyOpensPage() {
  const t = useT().collection
  return (
    <>
      <PageHeader title={t.opens.title} text={t.opens.text} />
      <WalletGate title={t.overlayTitle} text={t.opens.overlayText} button={t.connectWallet}>
        <Opens
          verify={({ openId }) => (
            <Button asChild size="sm" variant="secondary">
              <Link to="/verify/$openId" params={{ openId }}>
                <ShieldCheck aria-hidden />
                {t.opens.verify}
              </Link>
            </Button>
          )}
        />
      </WalletGate>
    </>
  )
}
