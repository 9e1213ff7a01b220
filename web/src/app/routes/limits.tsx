import { Figures } from '@/features/limits/figures'
import { LimitsTables } from '@/features/limits/limits-tables'
import { RealitySetting } from '@/features/limits/reality-setting'
import { Stopped } from '@/features/limits/stopped'
import { Stopping } from '@/features/limits/stopping'
import { limitsTexts } from '@/features/limits/texts'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function LimitsPage() {
  const t = limitsTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.overlayTitle} text={t.overlayText} button={t.connectWallet}>
        <Stopped />
        <p className="mb-6 max-w-prose text-sm text-muted-foreground">{t.noCash}</p>
        <LimitsTables />
        <Figures />
        <RealitySetting />
        <Stopping />
      </WalletGate>
    </>
  )
}
