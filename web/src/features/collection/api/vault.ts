import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { api, pageQuery, readPage } from '@/lib/api/client'
import type { ItemFilter } from '@/lib/api/types'
import { queryKeys } from '@/lib/query'
import { useSession } from '@/lib/session'

function vaultQuery(filter: ItemFilter) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.vault, filter],
    queryFn: ({ pageParam, signal }) =>
      readPage(api.GET('/api/vault', { params: { query: { ...filter, ...pageQuery(pageParam) } }, signal })),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
    placeholderData: keepPreviousData,
  })
}

/** The visitor's entries in the vault that pass a filter, a page at a time; until they are here, the ones before. */
export function useVault(filter: ItemFilter) {
  const { status, frozen } = useSession()
  return useInfiniteQuery({ ...vaultQuery(filter), enabled: status === 'signed-in' && !frozen })
}

const cardsQuery = infiniteQueryOptions({
  queryKey: queryKeys.vaultCards,
  queryFn: ({ pageParam, signal }) =>
    readPage(api.GET('/api/inventory/vault', { params: { query: pageQuery(pageParam) }, signal })),
  initialPageParam: '',
  getNextPageParam: (last) => last.next,
  select: ({ pages }) => pages.flatMap(({ entries }) => entries),
})

/** The visitor's cards in the vault, newest first, a page at a time. */
export function useVaultCards() {
  const { status, frozen } = useSession()
  return useInfiniteQuery({ ...cardsQuery, enabled: status === 'signed-in' && !frozen })
}
