import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Opens } from '@/features/collection/opens'
import { useT } from '@/i18n'
import type { Opening } from '@/lib/api/types'
import { Button } from '@/ui/button'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

const VerifyDialog = lazy(async () => ({
  default: (await import('@/features/opening/verify-dialog')).VerifyDialog,
}))

export function MyOpensPage() {
  const t = useT().collection
  const [chosen, setChosen] = useState<Opening>()
  const [visible, setVisible] = useState(false)

  function verify(opening: Opening) {
    setChosen(opening)
    setVisible(true)
  }

  return (
    <>
      <PageHeader title={t.opens.title} text={t.opens.text} />
      <WalletGate title={t.overlayTitle} text={t.opens.overlayText} button={t.connectWallet}>
        <Opens
          verify={(opening) => (
            <Button size="sm" variant="secondary" onClick={() => verify(opening)}>
              <ShieldCheck aria-hidden />
              {t.opens.verify}
            </Button>
          )}
        />
      </WalletGate>
      <Suspense>
        {chosen && <VerifyDialog opening={chosen} open={visible} onOpenChange={setVisible} />}
      </Suspense>
    </>
  )
}
