import type { VaultCard } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'

/** Sends an entry to the vault. */
export function useSendToVault(handlers: Handlers<VaultCard>) {
  return useAct(
    'sendToVault',
    (body: { inventoryId: string }, keyed) => read(api.POST('/api/inventory/vault', { body, ...keyed })),
    handlers,
  )
}
