import { useMutation } from '@tanstack/react-query'
import type { PlacedBid } from '@/contract/types'
import { useSession } from '@/lib/session'
import { prepareAct, retryUntilAnswered } from './act'
import { type NewBid, placeBid } from './bids'
import { useInvalidate } from './invalidations'

/** The bids that were placed and, if one was refused, that one. Bids after it weren't sent. */
export interface PlacedBids {
  placed: { body: NewBid; answer: PlacedBid }[]
  refused?: { body: NewBid; error: unknown }
}

/** Places bids one after another, each with its own idempotency key, and stops at the first that is refused. */
export function usePlaceBids(onDone: (outcome: PlacedBids) => void) {
  const address = useSession().address ?? ''
  const refresh = useInvalidate('bid')
  return useMutation({
    mutationKey: ['bid'],
    mutationFn: async (bodies: readonly NewBid[]) => {
      const placed: PlacedBids['placed'] = []
      for (const body of bodies) {
        try {
          const answer = await retryUntilAnswered(prepareAct({ address, act: 'bid', body, send: placeBid }))
          placed.push({ body, answer })
        } catch (error) {
          return { placed, refused: { body, error } }
        }
      }
      return { placed }
    },
    onSuccess: onDone,
    onSettled: refresh,
  })
}
