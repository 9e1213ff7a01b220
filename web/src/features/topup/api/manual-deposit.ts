import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

/** Sandbox points, in whole dollars. A key per attempt keeps a repeated request from counting twice. */
export function useManualDeposit() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ amount, key }: { amount: number; key: string }) =>
      read(
        api.POST('/api/wallet/deposit/manual', {
          body: { amount },
          params: { header: { 'Idempotency-Key': key } },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.wallet }),
  })
}
