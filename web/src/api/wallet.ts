import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMine } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'

const walletQuery = queryOptions({
  queryKey: keys.wallet,
  queryFn: ({ signal }) => read(api.GET('/api/wallet', { signal })),
})

/** The visitor's balance. */
export function useWallet() {
  return useQuery({ ...walletQuery, enabled: useMine() })
}

const transactionsQuery = queryOptions({
  queryKey: keys.transactions,
  queryFn: ({ signal }) => read(api.GET('/api/wallet/transactions', { signal })),
})

/** The latest lines of the visitor's ledger. */
export function useTransactions() {
  return useQuery({ ...transactionsQuery, enabled: useMine() })
}
