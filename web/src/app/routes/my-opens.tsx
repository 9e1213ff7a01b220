import { Link } from '@tanstack/react-router'
import { Share2, ShieldCheck } from 'lucide-react'
import { lazy, startTransition, useState } from 'react'
import { Opens } from '@/features/inventory/opens'
import { inventoryTexts } from '@/features/inventory/texts'
import type { Opening } from '@/contract/types'
import { usePackName } from '@/i18n/names'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

const ShareDialog = lazy(() => import('@/features/pulls/share-dialog'))

export function MyOpensPage() {
  const { connectWallet } = inventoryTexts.useT().collection
  const t = inventoryTexts.useT().opens
  const packName = usePackName()
  const [sharing, setSharing] = useState<{ opening: Opening; open: boolean }>()
  const close = () => setSharing((shown) => shown && { ...shown, open: false })
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.signInTitle} button={connectWallet}>
        <Opens
          actions={(opening) => (
            <div className="flex gap-2">
              <Button
                size="sm"
                variant="secondary"
                aria-label={t.actionOf(opening.shared ? t.shared : t.share, packName(opening))}
                onClick={() => startTransition(() => setSharing({ opening, open: true }))}
              >
                <Share2 aria-hidden />
                <span>{opening.shared ? t.shared : t.share}</span>
              </Button>
              <Button asChild size="sm" variant="secondary">
                <Link to="/verify/$openId" params={{ openId: opening.openId }}>
                  <ShieldCheck aria-hidden />
                  <span>{t.verify}</span>
                </Link>
              </Button>
            </div>
          )}
        />
        <DialogSlot open={sharing?.open ?? false} onClose={close}>
          {sharing && (
            <ShareDialog
              key={sharing.opening.openId}
              openings={[sharing.opening]}
              open={sharing.open}
              onOpenChange={(open) => !open && close()}
            />
          )}
        </DialogSlot>
      </WalletGate>
    </>
  )
}
