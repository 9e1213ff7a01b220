import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ItemFilter } from '@/lib/contract/types'
import { useMine } from '@/lib/session'
import { api } from './client'
import { keys } from './keys'
import { pagesOf } from './pages'

const listingsQuery = (filter: ItemFilter) =>
  pagesOf([...keys.marketplace, filter], (page, options) =>
    api.GET('/api/marketplace', { params: { query: { ...filter, ...page } }, ...options }),
  )

/** What is for sale and passes a filter, a page at a time; until it is here, what was shown before. */
export function useListings(filter: ItemFilter) {
  return useInfiniteQuery({ ...listingsQuery(filter), placeholderData: keepPreviousData, enabled: useMine() })
}
