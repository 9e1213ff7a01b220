import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'
import { useSession } from '@/lib/session'

const transactionsQuery = queryOptions({
  queryKey: queryKeys.transactions,
  queryFn: ({ signal }) => read(api.GET('/api/wallet/transactions', { signal })),
})

/** The latest lines of the visitor's ledger. */
export function useTransactions() {
  const { status, frozen } = useSession()
  return useQuery({ ...transactionsQuery, enabled: status === 'signed-in' && !frozen })
}
