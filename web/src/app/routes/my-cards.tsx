import { Cards } from '@/features/collection/cards'
import { cardsTexts } from '@/features/collection/texts/cards'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

export function MyCardsPage() {
  const t = cardsTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.overlayTitle} text={t.overlayText} button={t.connectWallet}>
        <Cards />
      </WalletGate>
    </>
  )
}
