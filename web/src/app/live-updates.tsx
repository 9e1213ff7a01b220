import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followFeed } from '@/api/feed/follow'
import { refreshOwnData } from '@/api/feed/own-data'
import { useMyListings } from '@/api/inventory'
import { useInterrupted } from '@/features/opening/use-interrupted'
import { useSession } from '@/lib/session'

/** Keeps the page's data as the market is. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const address = useSession().user?.walletAddress
  // Tells the visitor's own sales from others', on every page.
  useMyListings()
  useInterrupted()
  useEffect(() => followFeed(queryClient), [queryClient])
  useEffect(() => (address ? refreshOwnData(queryClient, address) : undefined), [queryClient, address])
  return null
}
