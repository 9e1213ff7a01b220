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
    enabled: useSignedIn(),
  })
}

type TransactionQuery = NonNullable<paths['/api/wallet/transactions']['get']['parameters']['query']>

export type TransactionKind = NonNullable<TransactionQuery['kind']>

/** What lines of the ledger are asked for: a kind, and times from the first to before the second. */
export type TransactionFilter = Pick<TransactionQuery, 'kind' | 'from' | 'to'>

const fetchTransactions = (query: TransactionQuery, options: { signal: AbortSignal }) =>
  api.GET('/api/wallet/transactions', { params: { query }, ...options })

const transactionsQuery = queryOptions({
  queryKey: keys.transactions,
  queryFn: ({ signal }) => read(fetchTransactions({}, { signal })),
})

/** The latest lines of the visitor's ledger. */
export function useLatestTransactions() {
  return useQuery({ ...transactionsQuery, enabled: useSignedIn() })
}

/** All lines that pass a filter, newest first, a page at a time; until they are here, the ones before. */
export function useTransactionList(filter: TransactionFilter) {
  const query = pagedQuery([...keys.transactions, 'all', filter], (page, options) =>
    fetchTransactions({ ...filter, ...page }, options),
  )
  return useInfiniteQuery({ ...query, placeholderData: keepPreviousData, enabled: useSignedIn() })
}

/** The latest lines of a time, newest first, as many as a page holds. */
export function useBalanceHistory(filter: Omit<TransactionFilter, 'kind'>) {
  return useQuery({
    queryKey: [...keys.transactions, 'history', filter],
    queryFn: ({ signal }) => read(fetchTransactions({ ...filter, limit: terms.largestPage }, { signal })),
    placeholderData: keepPreviousData,
    enabled: useSignedIn(),
  })
}

/** Where all lines that pass a filter are had as a CSV file. */
export function transactionsCsvUrl(filter: TransactionFilter): string {
  return `/api/wallet/transactions?${new URLSearchParams({ ...filter, format: 'csv' }).toString()}`
}
