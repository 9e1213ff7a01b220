import { Vault } from '@/features/collection/vault'
import { FilterBar } from '@/features/market/filter-bar'
import { SellButton } from '@/features/market/sell-buttons'
import { useFilter } from '@/features/market/use-filter'
import { marketTexts } from '@/i18n/market'
import { tradeTexts } from '@/i18n/trade'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

export const texts = { load: () => Promise.all([marketTexts.load(), tradeTexts.load()]) }

export function VaultPage() {
  const t = marketTexts.useT()
  const { filter, clear } = useFilter()
  return (
    <>
      <PageHeader title={t.vault.title} text={t.vault.text} />
      <WalletGate title={t.vault.overlayTitle} text={t.vault.overlayText} button={t.connectWallet}>
        <FilterBar />
        <Vault filter={filter} clear={clear} sell={(entry) => <SellButton entry={entry} />} />
      </WalletGate>
    </>
  )
}
