import { Collection } from '@/features/inventory/collection'
import { inventoryTexts } from '@/features/inventory/texts'
import { Link } from '@tanstack/react-router'
import { Gift } from 'lucide-react'
import { useWallet } from '@/api/wallet'
import { ownedEntry } from '@/features/sellback/sellable'
import { useT } from '@/i18n'
import { Points } from '@/components/points'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'
import { ButtonPair } from '../give-button'
import { TradeButton } from '../trade-button'
import { useSelling } from '../use-selling'

export function MyCollectionPage() {
  const { shell } = useT()
  const t = inventoryTexts.useT().collection
  const wallet = useWallet()
  const { quickSell, sellNow, give, dialog, ...slots } = useSelling(ownedEntry)
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <Button asChild variant="secondary" className="ml-auto">
          <Link to="/gifts">
            <Gift aria-hidden />
            <span>{t.gifts}</span>
          </Link>
        </Button>
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
              <ButtonPair>
                <TradeButton entry={entry} onQuickSell={() => sellNow(entry)} />
                <>{give(entry, { iconOnly: true })}</>
              </ButtonPair>
            </>
          )}
          {...slots}
        />
      </WalletGate>
      {dialog}
    </>
  )
}
