import { Cards } from '@/features/inventory/cards'
import { ownedCard } from '@/features/sellback/sellable'
import { CollectionLink } from '@/features/inventory/collection-link'
import { inventoryTexts } from '@/features/inventory/texts'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'
import { useSelling } from '../use-selling'

export function MyCardsPage() {
  const t = inventoryTexts.useT().cards
  const { quickSell, dialog, ...slots } = useSelling(ownedCard)
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <CollectionLink />
      </PageHeader>
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <Cards sell={quickSell} {...slots} />
      </WalletGate>
      {dialog}
    </>
  )
}
