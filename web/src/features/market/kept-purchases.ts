import type { KeptListing } from '@/contract/on-sale'

/** A listing that the user bought on this page. */
export interface Purchase {
  listing: KeptListing
  /** The ids of the entries that preceded it. */
  before: readonly string[]
}

/** Inserts bought listings that are gone from the list, each after the nearest of the entries that preceded it. */
export function withPurchases(listings: readonly KeptListing[], purchases: readonly Purchase[]): KeptListing[] {
  const rows = [...listings]
  for (const { listing, before } of purchases) {
    if (rows.some(({ id }) => id === listing.id)) continue
    const place = rows.findLastIndex(({ id }) => before.includes(id))
    rows.splice(place + 1, 0, listing)
  }
  return rows
}
