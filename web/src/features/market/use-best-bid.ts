import { useQuery } from '@tanstack/react-query'
import { entryBookQuery } from '@/api/bids'

/** What the best bid for an entry of the visitor's pays now, in cents; undefined without one, and until it is known. */
export function useBestBid(inventoryId: string): number | undefined {
  const book = useQuery({ ...entryBookQuery(inventoryId), staleTime: 0 })
  return book.data?.bids[0]?.priceCents
}
