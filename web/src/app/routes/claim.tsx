import { ClaimFlow } from '@/features/claims/flow'
import { claimFlowTexts } from '@/features/claims/texts/claim'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

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
