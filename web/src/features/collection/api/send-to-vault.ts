import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import type { VaultCard } from '@/lib/api/types'
import { queryKeys } from '@/lib/query'

interface Sending {
  inventoryId: string
  /** One per entry: a repeated send gets the first one's answer. */
  key: string
}

interface Handlers {
  onSent: (card: VaultCard) => void
  onFailed: () => void
}

/** The handlers are called also when what asked for it is gone by then: the lists read afresh take the button away. */
export function useSendToVault({ onSent, onFailed }: Handlers) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ inventoryId, key }: Sending) =>
      read(
        api.POST('/api/inventory/vault', {
          body: { inventoryId },
          params: { header: { 'Idempotency-Key': key } },
        }),
      ),
    onSuccess: onSent,
    onError: onFailed,
    // Also after a refusal: what is on the screen may be older than what the server knows.
    onSettled: () =>
      Promise.all(
        [queryKeys.vault, queryKeys.vaultCards, queryKeys.inventory, queryKeys.inventorySummary].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
