import type { Bid, BidScope } from '@/contract/types'

/** What is bid for. */
export interface Subject {
  scope: BidScope
  /** Of the one item; without it, it is for whatever meets a criterion. */
  item?: { name: string; baseValueCents: number } | undefined
}

/** What an open bid is for. */
export function subjectOf({ scope, item }: Bid): Subject {
  return { scope, item }
}
