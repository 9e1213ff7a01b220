import { Vault } from '@/features/collection/vault'
import { FilterBar } from '@/features/market/filter-bar'
import { ownedEntry } from '@/features/sellback/sellable'
import { useFilter } from '@/features/market/use-filter'
import { marketTexts } from '@/i18n/market'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'
import { TradeButton } from '../trade-button'
import { useSelling } from '../use-selling'

export { marketTexts as texts }

export function VaultPage() {
  const t = marketTexts.useT()
  const { filter, clear } = useFilter()
  const { quickSell, dialog, ...slots } = useSelling(ownedEntry)
  return (
    <>
      <PageHeader title={t.vault.title} text={t.vault.text} />
      <WalletGate title={t.vault.overlayTitle} text={t.vault.overlayText} button={t.connectWallet}>
        <FilterBar />
        <Vault
          filter={filter}
          clear={clear}
          sell={(entry) => (
            <div className="space-y-2">
              {quickSell(entry)}
              <TradeButton entry={entry} />
            </div>
          )}
          {...slots}
        />
      </WalletGate>
      {dialog}
    </>
  )
}
