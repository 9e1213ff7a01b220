import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { bidTexts } from '@/features/bids/texts'
import { KeepButton } from '@/features/collection/keep-button'
import { EntryPage as Entry } from '@/features/item/entry-page'
import { Part } from '@/features/item/part'
import { itemTexts } from '@/features/item/texts'
import { ownedEntry } from '@/features/sellback/sellable'
import { useSession } from '@/lib/session'
import type { EntryLife } from '@/lib/contract/types'
import { PageHeader } from '@/ui/page-header'
import { Skeleton } from '@/ui/skeleton'
import { WalletGate } from '@/ui/wallet-gate'
import { ClaimButton } from '../claim-button'
import { TradeButton } from '../trade-button'
import { useSelling } from '../use-selling'

// Below what one comes for first.
const EntryBids = lazy(async () => ({ default: (await import('@/features/bids/item-bids')).EntryBids }))
const OwnBids = lazy(async () => ({ default: (await import('@/features/bids/own-bids')).OwnBids }))

export function EntryPage() {
  const t = itemTexts.useT().entry
  const { entryId } = useParams({ from: '/entry/$entryId' })
  const { status } = useSession()
  const { quickSell, sellNow, dialog } = useSelling(ownedEntry)
  return (
    <>
      {status === 'signed-out' && <PageHeader title={t.title} text={t.text} />}
      <WalletGate title={t.overlayTitle} text={t.overlayText} button={t.connectWallet}>
        <Entry
          key={entryId}
          id={entryId}
          market={(entry) => <Bids entry={entry} />}
          actions={(entry) =>
            entry.own && (
              <>
                <div className="w-44 empty:hidden">{quickSell(entry)}</div>
                <div className="w-44 empty:hidden">
                  <TradeButton entry={entry} onQuickSell={() => sellNow(entry)} />
                </div>
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
            )
          }
        />
      </WalletGate>
      {dialog}
    </>
  )
}

/** What is bid for it: to be accepted by its owner, to be outbid by others. Nothing of what is nobody's any more. */
function Bids({ entry }: { entry: EntryLife }) {
  const t = bidTexts.useT()
  const { title, text } = entry.own ? t.own : t.book
  if (!['held', 'listed', 'claimed'].includes(entry.state)) return null
  return (
    <Part title={title} text={text}>
      <Suspense fallback={<Skeleton className="mt-4 h-60" />}>
        {entry.own ? <OwnBids entry={entry} /> : <EntryBids entry={entry} />}
      </Suspense>
    </Part>
  )
}
