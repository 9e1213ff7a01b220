import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followFeed } from '@/api/feed/follow'
import { refreshOwnData } from '@/api/feed/own-data'
import { useInterrupted } from '@/features/opening/use-interrupted'
import { useSession } from '@/lib/session'

/** Keeps the page's data as the market is. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const address = useSession().user?.walletAddress
  useInterrupted()
  useEffect(() => (address ? refreshOwnData(queryClient, address) : undefined), [queryClient, address])
  return <Feed key={useSignIns()} />
}

function Feed() {
  const queryClient = useQueryClient()
  useEffect(() => followFeed(queryClient), [queryClient])
  return null
}

/** Counts how often the user has changed since the page's session became known. */
function useSignIns(): number {
  const { status, user } = useSession()
  const viewer = status === 'loading' ? undefined : (user?.walletAddress ?? '')
  const [last, setLast] = useState({ viewer, signIns: 0 })
  if (viewer !== undefined && viewer !== last.viewer)
    setLast({ viewer, signIns: last.signIns + (last.viewer === undefined ? 0 : 1) })
  return last.signIns
}
