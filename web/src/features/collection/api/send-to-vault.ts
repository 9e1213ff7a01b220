import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

interface Sending {
  inventoryId: string
  /** One per entry: a repeated send gets the first one's answer. */
  key: string
}

export function useSendToVault() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ inventoryId, key }: Sending) =>
      read(
        api.POST('/api/inventory/vault', {
          body: { inventoryId },
          params: { header: { 'Idempotency-Key': key } },
        }),
      ),
    // Also after a refusal: what is on the screen may be older than what the server knows.
    onSettled: () =>
      Promise.all(
        [queryKeys.vault, queryKeys.vaultCards, queryKeys.inventory, queryKeys.inventorySummary].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
