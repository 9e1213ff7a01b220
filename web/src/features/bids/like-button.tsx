import type { ItemFilter } from '@/contract/types'
import { BidButton } from './bid-button'
import { criterionOf } from './criterion'
import { bidsTexts } from './texts'

/** Bids for whatever passes a filter, as far as a bid can ask for it. */
export default function LikeButton({ filter }: { filter: ItemFilter }) {
  const t = bidsTexts.useT().bids.like
  return (
    <BidButton variant="secondary" size="sm" className="mb-6 ml-auto" subject={{ scope: criterionOf(filter) }}>
      {t.button}
    </BidButton>
  )
}
