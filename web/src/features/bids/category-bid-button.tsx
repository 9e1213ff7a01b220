import type { ItemFilter } from '@/contract/types'
import { BidButton } from './bid-button'
import { criteriaFrom } from './criteria'
import { bidsTexts } from './texts'

/** Opens a bid by criteria, filled in from the market's filter. */
export default function CategoryBidButton({ filter }: { filter: ItemFilter }) {
  const t = bidsTexts.useT().bids.criteria
  return (
    <BidButton variant="secondary" size="sm" target={{ scope: criteriaFrom(filter) }}>
      {t.button}
    </BidButton>
  )
}
