import { useQuery } from '@tanstack/react-query'
import { entryBookQuery } from '@/api/bids'

/** The best bid on one of the user's entries, in cents; undefined while loading or without bids. */
export function useBestBid(inventoryId: string): number | undefined {
  const book = useQuery({ ...entryBookQuery(inventoryId), staleTime: 0 })
  return book.data?.bids[0]?.priceCents
}
