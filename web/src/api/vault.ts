import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ItemFilter } from '@/lib/contract/types'
import { useMine } from '@/lib/session'
import { api } from './client'
import { keys } from './keys'
import { pagesOf } from './pages'

const vaultQuery = (filter: ItemFilter) =>
  pagesOf([...keys.vault, filter], (page, options) =>
    api.GET('/api/vault', { params: { query: { ...filter, ...page } }, ...options }),
  )

/** The visitor's entries in the vault that pass a filter, a page at a time; until they are here, the ones before. */
export function useVault(filter: ItemFilter) {
  return useInfiniteQuery({ ...vaultQuery(filter), placeholderData: keepPreviousData, enabled: useMine() })
}

const cardsQuery = pagesOf(keys.vaultCards, (query, options) =>
  api.GET('/api/inventory/vault', { params: { query }, ...options }),
)

/** The visitor's cards in the vault, newest first, a page at a time. */
export function useVaultCards() {
  return useInfiniteQuery({ ...cardsQuery, enabled: useMine() })
}
