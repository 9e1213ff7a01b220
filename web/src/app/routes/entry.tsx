import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { KeepButton } from '@/features/inventory/keep-button'
import { EntryPage as Entry } from '@/features/item/entry-page'
import { itemTexts } from '@/features/item/texts'
import { isSellable, ownedEntry } from '@/features/sellback/sellable'
import { config } from '@/lib/config'
import { useSession } from '@/lib/session'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { WalletGate } from '@/components/ui/wallet-gate'
import { BuyEntry } from '../buy-entry'
import { ClaimButton } from '@/features/redemptions/claim-button'
import { TradeButton } from '../trade-button'
import { useSelling } from '../use-selling'

// Bids bring the forms' libraries.
const EntryMarket = lazy(async () => ({ default: (await import('../item-market')).EntryMarket }))

export function EntryPage() {
  const t = itemTexts.useT().entry
  const { entryId } = useParams({ from: '/entry/$entryId' })
  const { status } = useSession()
  const { quickSell, sellNow, give, dialog } = useSelling(ownedEntry)
  return (
    <>
      {status === 'signed-out' && <PageHeader title={t.title} text={t.text} />}
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        <Entry
          key={entryId}
          id={entryId}
          market={(entry) =>
            config.rules.market && (
              <Suspense fallback={<Skeleton className="h-80 rounded-2xl" />}>
                <EntryMarket
                  entry={entry}
                  onQuickSell={isSellable(ownedEntry(entry)) ? () => sellNow(entry) : undefined}
                />
              </Suspense>
            )
          }
          actions={(entry) =>
            entry.own ? (
              <>
                <div className="w-44 empty:hidden">{quickSell(entry)}</div>
                <div className="w-44 empty:hidden">
                  <TradeButton entry={entry} onQuickSell={() => sellNow(entry)} />
                </div>
                <div className="w-44 empty:hidden">{give(entry)}</div>
                {entry.state === 'held' && (
                  <div className="w-44">
                    <ClaimButton inventoryId={entry.id} name={entry.item.name} vaulted={entry.vaulted} />
                  </div>
                )}
                {entry.state === 'held' && !entry.vaulted && (
                  <div className="w-44">
                    <KeepButton inventoryId={entry.id} name={entry.item.name} />
                  </div>
                )}
              </>
            ) : (
              <BuyEntry entry={entry} />
            )
          }
        />
      </WalletGate>
      {dialog}
    </>
  )
}
