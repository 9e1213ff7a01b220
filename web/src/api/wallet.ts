import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { terms } from '@/lib/config'
import type { paths } from '@/contract/schema'
import { useSignedIn } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

const walletQuery = queryOptions({
  queryKey: keys.wallet,
  queryFn: ({ signal }) => read(api.GET('/api/wallet', { signal })),
})

const pollMs = 60_000

/**
 * The visitor's balance. Polled every minute while the page is visible, and on focus: no event reports late payments and
 * credits.
 */
export function useWallet() {
  return useQuery({
    ...walletQuery,
    staleTime: pollMs / 2,
    refetchInterval: pollMs,
    refetchOnWindowFocus: true,
    enabled: useSignedIn(),
  })
}

type TransactionQuery = NonNullable<paths['/api/wallet/transactions']['get']['parameters']['query']>

export type TransactionKind = NonNullable<TransactionQuery['kind']>

/** Filters transactions by kind and time, from `from` to before `to`. */
export type TransactionFilter = Pick<TransactionQuery, 'kind' | 'from' | 'to'>

const fetchTransactions = (query: TransactionQuery, options: { signal: AbortSignal }) =>
  api.GET('/api/wallet/transactions', { params: { query }, ...options })

const transactionsQuery = queryOptions({
  queryKey: keys.transactions,
  queryFn: ({ signal }) => read(fetchTransactions({}, { signal })),
})

/** The visitor's latest transactions. */
export function useLatestTransactions() {
  return useQuery({ ...transactionsQuery, enabled: useSignedIn() })
}

/** The transactions that match a filter, newest first, in pages. Shows the previous ones while loading. */
export function useTransactionList(filter: TransactionFilter) {
  const query = pagedQuery([...keys.transactions, 'all', filter], (page, options) =>
    fetchTransactions({ ...filter, ...page }, options),
  )
  return useInfiniteQuery({ ...query, placeholderData: keepPreviousData, enabled: useSignedIn() })
}

/** The latest transactions of a period, newest first, at most one page. */
export function useBalanceHistory(filter: Omit<TransactionFilter, 'kind'>) {
  return useQuery({
    queryKey: [...keys.transactions, 'history', filter],
    queryFn: ({ signal }) => read(fetchTransactions({ ...filter, limit: terms.largestPage }, { signal })),
    placeholderData: keepPreviousData,
    enabled: useSignedIn(),
  })
}

/** CSV download URL of the matching transactions. */
export function transactionsCsvUrl(filter: TransactionFilter): string {
  return `/api/wallet/transactions?${new URLSearchParams({ ...filter, format: 'csv' }).toString()}`
}
