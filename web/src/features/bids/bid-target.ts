import type { Bid, BidScope } from '@/contract/types'

/** What a bid is for. */
export interface BidTarget {
  scope: BidScope
  /** The scope's single item; without it, any item that meets the scope's criteria fills the bid. */
  item?: { name: string; baseValueCents: number } | undefined
}

export function targetOf({ scope, item }: Bid): BidTarget {
  return { scope, item }
}
