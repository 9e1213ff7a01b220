import { lazy, Suspense } from 'react'
import { usePasskeyAddress } from '@/features/auth/passkey/use-passkey-address'
import { Collection } from '@/features/inventory/collection'
import { inventoryTexts } from '@/features/inventory/texts'
import { Link } from '@tanstack/react-router'
import { Gift } from 'lucide-react'
import { FilterBar } from '@/features/market/filter-bar'
import { useFilter } from '@/features/market/use-filter'
import { useInventorySummary } from '@/api/inventory'
import { useWallet } from '@/api/wallet'
import { ownedEntry } from '@/features/sellback/sellable'
import { useT } from '@/i18n'
import { Points } from '@/components/points'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { WalletGate } from '@/components/ui/wallet-gate'
import { ButtonPair } from '../give-button'
import { TradeButton } from '../trade-button'
import { useSelling } from '../use-selling'

// Lazy, because it loads the texts of sets.
const SetList = lazy(() => import('@/features/sets/set-list'))

// Only passkey wallets show it.
const ExportHint = lazy(() => import('@/features/auth/passkey/export-hint'))

export function MyCollectionPage() {
  const { shell } = useT()
  const t = inventoryTexts.useT().collection
  const wallet = useWallet()
  const { data: totals } = useInventorySummary()
  const passkey = usePasskeyAddress()
  const { filter, clear } = useFilter()
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
        <Suspense>{passkey && totals && <ExportHint address={passkey} valueCents={totals.valueCents} />}</Suspense>
        <Collection
          filter={filter}
          clear={clear}
          filterBar={<FilterBar withRarity={false} />}
          sets={
            <Suspense fallback={<Skeleton className="h-96 rounded-2xl" />}>
              <SetList />
            </Suspense>
          }
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
