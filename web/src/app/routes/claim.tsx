import { ClaimFlow } from '@/features/redemptions/flow'
import { claimFlowTexts } from '@/features/redemptions/texts/claim'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function ClaimPage() {
  const t = claimFlowTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.overlayTitle} text={t.overlayText} button={t.connectWallet}>
        <ClaimFlow />
      </WalletGate>
    </>
  )
}
