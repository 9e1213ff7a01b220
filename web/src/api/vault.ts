import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ItemFilter, VaultCard } from '@/contract/types'
import { useSignedIn } from '@/lib/session'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

const vaultQuery = (filter: ItemFilter) =>
  pagedQuery([...keys.vault, filter], (page, options) =>
    api.GET('/api/vault', { params: { query: { ...filter, ...page } }, ...options }),
  )

/** The visitor's vaulted entries that match a filter, in pages. Shows the previous ones while loading. */
export function useVault(filter: ItemFilter) {
  return useInfiniteQuery({ ...vaultQuery(filter), placeholderData: keepPreviousData, enabled: useSignedIn() })
}

/** The visitor's vault. Loads pages until it has these entries. */
export function useVaultWith(ids: readonly string[]) {
  const vault = useVault({})
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = vault
  const missing = data !== undefined && ids.some((id) => data.every((entry) => entry.id !== id))
  useEffect(() => {
    if (missing && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [missing, hasNextPage, isFetching, isError, fetchNextPage])
  return vault
}

const cardsQuery = pagedQuery(keys.vaultCards, (query, options) =>
  api.GET('/api/inventory/vault', { params: { query }, ...options }),
)

/** The visitor's vaulted cards, newest first, in pages. */
export function useVaultCards() {
  return useInfiniteQuery({ ...cardsQuery, enabled: useSignedIn() })
}

/** Sends an entry to the vault. */
export function useSendToVault(handlers: Handlers<VaultCard>) {
  return useAct(
    'sendToVault',
    (body: { inventoryId: string }, keyed) => read(api.POST('/api/inventory/vault', { body, ...keyed })),
    handlers,
  )
}
