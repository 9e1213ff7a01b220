import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followFeed } from '@/api/feed/follow'
import { useMyListings } from '@/api/inventory'

/** Keeps the page's data as the market is. */
export default function Live() {
  const queryClient = useQueryClient()
  // By these a sale of the visitor's is told from others', whatever page they look at.
  useMyListings()
  useEffect(() => followFeed(queryClient), [queryClient])
  return null
}
