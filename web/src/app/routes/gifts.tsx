import { GiftLists } from '@/features/gifts/gift-lists'
import { giftsTexts } from '@/features/gifts/texts'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function GiftsPage() {
  const t = giftsTexts.useT().gifts
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <GiftLists />
      </WalletGate>
    </>
  )
}
