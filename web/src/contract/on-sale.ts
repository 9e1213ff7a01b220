import type { ItemDetail, Listing } from './types'

/** Why what is still shown cannot be bought any more. */
export type Gone = 'sold' | 'withdrawn'

interface Kept {
  gone?: Gone | undefined
}

/** A listing as the page keeps it: one that goes while it is looked at stays in its place. */
export type KeptListing = Listing & Kept

/** An item as the page keeps it, with how many listings have come since it was read. */
export type KeptItem = Omit<ItemDetail, 'listings'> & {
  listings: (ItemDetail['listings'][number] & Kept)[]
  fresh?: readonly string[] | undefined
}
