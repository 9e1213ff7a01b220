import { Vault } from '@/features/collection/vault'
import { FilterBar } from '@/features/market/filter-bar'
import { SellButton } from '@/features/market/sell-buttons'
import { useFilter } from '@/features/market/use-filter'
import { vaultTexts } from '@/features/collection/texts/vault'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

export function VaultPage() {
  const t = vaultTexts.useT()
  const { filter, clear } = useFilter()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.overlayTitle} text={t.overlayText} button={t.connectWallet}>
        <FilterBar />
        <Vault filter={filter} clear={clear} sell={(entry) => <SellButton entry={entry} />} />
      </WalletGate>
    </>
  )
}
