import { lazy, Suspense } from 'react'
import { useWallet } from '@/api/wallet'
import { config } from '@/lib/config'
import type { EntryLife } from '@/contract/types'

const BuyButtons = lazy(async () => ({ default: (await import('@/features/market/buy-buttons')).BuyButtons }))

/** What buys an entry that somebody else has for sale, where users trade; its code comes after the page. */
export function BuyEntry({ entry }: { entry: EntryLife }) {
  const balanceCents = useWallet().data?.balanceCents
  const { state, own, listingId, salePriceCents } = entry
  if (!config.rules.market || own || state !== 'listed' || listingId === null || salePriceCents === null) return null
  return (
    <div className="flex w-72 items-center gap-2">
      <Suspense fallback={<div className="h-10" />}>
        <BuyButtons listing={{ ...entry, listingId, salePriceCents }} balanceCents={balanceCents} />
      </Suspense>
    </div>
  )
}
