import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

const most = 8

/** The first items whose name has words that begin so. */
export function searchQuery(words: string) {
  return queryOptions({
    queryKey: [...queryKeys.items, 'search', words],
    queryFn: ({ signal }) => read(api.GET('/api/items', { params: { query: { search: words, limit: most } }, signal })),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
}
