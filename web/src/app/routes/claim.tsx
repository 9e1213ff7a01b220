import { ClaimFlow } from '@/features/redemptions/claim-flow'
import { redemptionsTexts } from '@/features/redemptions/texts'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function ClaimPage() {
  const t = redemptionsTexts.useT().flow
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <ClaimFlow />
      </WalletGate>
    </>
  )
}
