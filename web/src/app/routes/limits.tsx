import { Figures } from '@/features/limits/figures'
import { LimitsTables } from '@/features/limits/limits-tables'
import { RealitySetting } from '@/features/limits/reality-setting'
import { BreakNotice } from '@/features/limits/break-notice'
import { TakeBreak } from '@/features/limits/take-break'
import { limitsTexts } from '@/features/limits/texts'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function LimitsPage() {
  const t = limitsTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <BreakNotice />
        <p className="mb-6 max-w-prose text-sm text-muted-foreground">{t.noCash}</p>
        <LimitsTables />
        <Figures />
        <RealitySetting />
        <TakeBreak />
      </WalletGate>
    </>
  )
}
