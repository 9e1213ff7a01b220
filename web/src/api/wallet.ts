import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { terms } from '@/lib/config'
import type { paths } from '@/contract/schema'
import { useMine } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { pagesOf } from './pages'

const walletQuery = queryOptions({
  queryKey: keys.wallet,
  queryFn: ({ signal }) => read(api.GET('/api/wallet', { signal })),
})

const lookAgainMs = 60_000

/**
 * The visitor's balance, looked at each minute while the page is, and when one comes back: a payment that arrives late
 * and points that are given change it, and no act here nor event tells of that.
 */
export function useWallet() {
  return useQuery({
    ...walletQuery,
    staleTime: lookAgainMs / 2,
    refetchInterval: lookAgainMs,
    refetchOnWindowFocus: true,
    enabled: useMine(),
  })
}

type LineQuery = NonNullable<paths['/api/wallet/transactions']['get']['parameters']['query']>

export type LineKind = NonNullable<LineQuery['kind']>

/** What lines of the ledger are asked for: a kind, and times from the first to before the second. */
export type LineFilter = Pick<LineQuery, 'kind' | 'from' | 'to'>

const lines = (query: LineQuery, options: { signal: AbortSignal }) =>
  api.GET('/api/wallet/transactions', { params: { query }, ...options })

const transactionsQuery = queryOptions({
  queryKey: keys.transactions,
  queryFn: ({ signal }) => read(lines({}, { signal })),
})

/** The latest lines of the visitor's ledger. */
export function useTransactions() {
  return useQuery({ ...transactionsQuery, enabled: useMine() })
}

/** All lines that pass a filter, newest first, a page at a time; until they are here, the ones before. */
export function useLines(filter: LineFilter) {
  const query = pagesOf([...keys.transactions, 'all', filter], (page, options) =>
    lines({ ...filter, ...page }, options),
  )
  return useInfiniteQuery({ ...query, placeholderData: keepPreviousData, enabled: useMine() })
}

/** The latest lines of a time, newest first, as many as a page holds. */
export function useBalanceHistory(filter: Omit<LineFilter, 'kind'>) {
  return useQuery({
    queryKey: [...keys.transactions, 'history', filter],
    queryFn: ({ signal }) => read(lines({ ...filter, limit: terms.largestPage }, { signal })),
    placeholderData: keepPreviousData,
    enabled: useMine(),
  })
}

/** Where all lines that pass a filter are had as a CSV file. */
export function linesFile(filter: LineFilter): string {
  return `/api/wallet/transactions?${new URLSearchParams({ ...filter, format: 'csv' }).toString()}`
}
