import { useOpenBids } from '@/api/bids'
import type { Bid } from '@/contract/types'
import { OpenBid } from './open-bid'
import { bidsTexts } from './texts'

interface MyBidProps {
  /** Whether it is for what the page is about. */
  isFor: (bid: Bid) => boolean
}

/** The visitor's open bid for what the page is about, if there is one. */
export function MyBid({ isFor }: MyBidProps) {
  const t = bidsTexts.useT().bids
  const bid = useOpenBids().data?.find(isFor)
  if (!bid) return null
  return (
    <section aria-label={t.mine} className="mt-5 border-t pt-4">
      <h3 className="mb-3 text-sm font-medium">{t.mine}</h3>
      <OpenBid bid={bid} bare />
    </section>
  )
}

/** Whether the visitor has an open bid for it. */
export function useHasBid(isFor: (bid: Bid) => boolean): boolean {
  return useOpenBids().data?.some(isFor) ?? false
}
