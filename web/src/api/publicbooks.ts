import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

const refreshedAfterMs = 60_000

/** Kaibao's public books, refetched while displayed. */
export const booksQuery = queryOptions({
  queryKey: keys.books,
  queryFn: ({ signal }) => read(api.GET('/api/books', { signal })),
  staleTime: refreshedAfterMs,
  refetchInterval: refreshedAfterMs,
})
