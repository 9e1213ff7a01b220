import { Account } from '@/features/account/account'
import { accountTexts } from '@/features/account/texts'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function AccountPage() {
  const t = accountTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <Account />
      </WalletGate>
    </>
  )
}
