import type { ItemDetail, Listing } from './types'

/** Why a displayed listing can't be bought any more. */
export type Gone = 'sold' | 'withdrawn'

interface Kept {
  gone?: Gone | undefined
}

/** A listing as displayed: one that ends while on screen stays in place. */
export type KeptListing = Listing & Kept

/** An item as the page keeps it, with how many listings have come since it was read. */
export type KeptItem = Omit<ItemDetail, 'listings'> & {
  listings: (ItemDetail['listings'][number] & Kept)[]
  fresh?: readonly string[] | undefined
}
