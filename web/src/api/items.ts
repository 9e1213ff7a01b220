import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { KeptItem } from '@/contract/on-sale'
import { api, read } from './client'
import { keys } from './keys'
import type { PageQuery } from './paged-query'

const items = (query: PageQuery & { search?: string }, options: { signal: AbortSignal }) =>
  api.GET('/api/items', { params: { query }, ...options })

const maxResults = 8

/** The first items whose names have words that start with the query's words. */
export function searchQuery(words: string) {
  return queryOptions({
    queryKey: [...keys.items, 'search', words],
    queryFn: ({ signal }) => read(items({ search: words, limit: maxResults }, { signal })),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
}

/** An item with its values, sales, odds and listings. */
export function itemQuery(id: string) {
  return queryOptions({
    queryKey: keys.item(id),
    queryFn: ({ signal }): Promise<KeptItem> => read(api.GET('/api/items/{id}', { params: { path: { id } }, signal })),
  })
}
