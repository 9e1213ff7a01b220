import { useOpenBids } from '@/api/bids'
import type { Bid } from '@/contract/types'
import { OpenBid } from './open-bid'
import { bidsTexts } from './texts'

interface MyBidProps {
  /** Selects the bid on this page's item or entry. */
  matches: (bid: Bid) => boolean
}

/** The user's open bid on this page's item or entry, if there is one. */
export function MyBid({ matches }: MyBidProps) {
  const t = bidsTexts.useT().bids
  const bid = useOpenBids().data?.find(matches)
  if (!bid) return null
  return (
    <section aria-label={t.mine} className="mt-5 border-t pt-4">
      <h3 className="mb-3 text-sm font-medium">{t.mine}</h3>
      <OpenBid bid={bid} withoutTarget />
    </section>
  )
}

export function useHasBid(matches: (bid: Bid) => boolean): boolean {
  return useOpenBids().data?.some(matches) ?? false
}
