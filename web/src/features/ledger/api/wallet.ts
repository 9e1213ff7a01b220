import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'
import { useSession } from '@/lib/session'

const walletQuery = queryOptions({
  queryKey: queryKeys.wallet,
  queryFn: ({ signal }) => read(api.GET('/api/wallet', { signal })),
})

/** The balance, asked for only by somebody who is signed in. */
export function useWallet() {
  const { status, frozen } = useSession()
  return useQuery({ ...walletQuery, enabled: status === 'signed-in' && !frozen })
}
