import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { CardChance, PackDetail } from '@/contract/types'
import { api } from './client'
import { pagedQuery } from './paged-query'

/**
 * The cards that a pack can yield now and their chances, the most valuable first, in pages. The pack's figures are part
 * of the key: the list is loaded again when they change, and not after every open.
 */
export function packCardsQuery(pack: PackDetail, search = '') {
  const { id, manifestHash, expectedValueCents, beatsPriceChance } = pack
  return pagedQuery<CardChance>(
    ['/api/packs/{id}/cards', id, search, manifestHash, expectedValueCents, beatsPriceChance],
    (page, options) =>
      api.GET('/api/packs/{id}/cards', {
        params: { path: { id }, query: { ...page, ...(search && { search }) } },
        ...options,
      }),
  )
}

/** A pack's cards whose names match a search. Shows the previous ones while loading. */
export function usePackCards(pack: PackDetail, search?: string) {
  return useInfiniteQuery({ ...packCardsQuery(pack, search), placeholderData: keepPreviousData })
}
