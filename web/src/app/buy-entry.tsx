import { useWallet } from '@/api/wallet'
import type { EntryLife } from '@/contract/types'
import { BuyButtons } from '@/features/market/buy-buttons'
import { config } from '@/lib/config'

/** The buttons that buy an entry another user has listed. */
export function BuyEntry({ entry }: { entry: EntryLife }) {
  const balanceCents = useWallet().data?.balanceCents
  const { state, own, listingId, salePriceCents } = entry
  if (!config.rules.market || own || state !== 'listed' || listingId === null || salePriceCents === null) return null
  return (
    <div className="flex w-72 items-center gap-2">
      <BuyButtons listing={{ ...entry, listingId, salePriceCents }} balanceCents={balanceCents} />
    </div>
  )
}
