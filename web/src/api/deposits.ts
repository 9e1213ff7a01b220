import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ApiError } from '@/contract/error'
import type { Deposit, DepositLife } from '@/contract/types'
import { useMine } from '@/lib/session'
import { aheadOf, api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagesOf } from './pages'

const deposits = (query: PageQuery & { state?: 'open' }, options: { signal: AbortSignal }) =>
  api.GET('/api/wallet/deposits', { params: { query }, ...options })

const depositsQuery = pagesOf(keys.deposits, deposits)

/** All deposits of the visitor, newest first, a page at a time. */
export function useDeposits() {
  return useInfiniteQuery({ ...depositsQuery, enabled: useMine() })
}

const openQuery = queryOptions({
  queryKey: [...keys.deposits, 'open'],
  queryFn: ({ signal }) => read(deposits({ state: 'open' }, { signal })),
})

/** Those that can still be paid, or whose payment is looked at. */
export function useOpenDeposits() {
  return useQuery({ ...openQuery, enabled: useMine() })
}

/** A deposit with what happened to it, and how far the server's clock is before the browser's, in milliseconds. */
export type FollowedDeposit = DepositLife & { aheadMs: number }

async function readDeposit(id: string, signal: AbortSignal): Promise<FollowedDeposit> {
  const call = api.GET('/api/wallet/deposits/{id}', { params: { path: { id } }, signal })
  const life = await read(call)
  return { ...life, aheadMs: aheadOf((await call).response) }
}

/** How long until a deposit is asked for again, by its state; what has ended is not. */
const askAgainMs: Partial<Record<Deposit['state'], number>> = {
  quoted: 2000,
  pending: 2000,
  verified: 2000,
  review: 30_000, // people look at it
}

/**
 * A deposit of the visitor's, followed until it ends. This is the one place that asks again and again: the stream of
 * events, once there is one, takes over.
 */
export function useDepositLife(id: string, follow = true) {
  return useQuery({
    queryKey: [...keys.deposits, id],
    queryFn: ({ signal }) => readDeposit(id, signal),
    enabled: useMine(),
    refetchInterval: ({ state: { data, error } }) => {
      const unknown = error instanceof ApiError && error.status === 404
      return follow && !unknown && (askAgainMs[data?.state ?? 'quoted'] ?? false)
    },
  })
}
