import { Collection } from '@/features/inventory/collection'
import { inventoryTexts } from '@/features/inventory/texts'
import { useWallet } from '@/api/wallet'
import { ownedEntry } from '@/features/sellback/sellable'
import { useT } from '@/i18n'
import { Points } from '@/components/points'
import { Loaded } from '@/components/ui/loaded'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'
import { TradeButton } from '../trade-button'
import { useSelling } from '../use-selling'

export function MyCollectionPage() {
  const { shell } = useT()
  const t = inventoryTexts.useT().collection
  const wallet = useWallet()
  const { quickSell, sellNow, dialog, ...slots } = useSelling(ownedEntry)
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <Loaded query={wallet} failed={shell.user.balanceFailed} inlineErrorClass="" skeleton={null}>
          {({ balanceCents }) => (
            <p className="text-right text-sm text-muted-foreground">
              <span>{t.walletBalance}</span>
              <strong className="block text-xl font-semibold text-foreground">
                <Points cents={balanceCents} />
              </strong>
            </p>
          )}
        </Loaded>
      </PageHeader>
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <Collection
          sell={(entry) => (
            <>
              {quickSell(entry)}
              <TradeButton entry={entry} onQuickSell={() => sellNow(entry)} />
            </>
          )}
          {...slots}
        />
      </WalletGate>
      {dialog}
    </>
  )
}
