import { Vault } from '@/features/inventory/vault'
import { FilterBar } from '@/features/market/filter-bar'
import { ownedEntry } from '@/features/sellback/sellable'
import { useFilter } from '@/features/market/use-filter'
import { CollectionLink } from '@/features/inventory/collection-link'
import { inventoryTexts } from '@/features/inventory/texts'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'
import { ClaimButton } from '@/features/redemptions/claim-button'
import { ButtonPair } from '../give-button'
import { TradeButton } from '../trade-button'
import { useSelling } from '../use-selling'

export function VaultPage() {
  const t = inventoryTexts.useT().vault
  const { filter, clear } = useFilter()
  const { quickSell, sellNow, give, dialog, ...slots } = useSelling(ownedEntry)
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <CollectionLink />
      </PageHeader>
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <FilterBar />
        <Vault
          filter={filter}
          clear={clear}
          sell={(entry) => (
            <div className="space-y-2">
              {quickSell(entry)}
              <ButtonPair>
                <TradeButton entry={entry} onQuickSell={() => sellNow(entry)} />
                <>{give(entry, { iconOnly: true })}</>
              </ButtonPair>
              {entry.state === 'held' && <ClaimButton inventoryId={entry.id} name={entry.item.name} vaulted />}
            </div>
          )}
          {...slots}
        />
      </WalletGate>
      {dialog}
    </>
  )
}
