import { infiniteQueryOptions } from '@tanstack/react-query'
import { read } from './client'

/** Start and maximum length of a page. */
export interface PageQuery {
  cursor?: string
  limit?: number
}

/** A cached page of a list. */
export interface Page<T> {
  entries: T[]
  next: string | undefined
  /** On the first page: ids of matching rows added since it was loaded. */
  newIds?: readonly string[] | undefined
}

type Call<T> = Promise<{ data?: readonly T[] | null | undefined; response: Response }>

/** The first page is short to load fast, later ones are long. */
export function pageQuery(cursor: string | undefined): PageQuery {
  return cursor ? { cursor, limit: 200 } : {}
}

/** A page of a list, and the cursor of the next one, if there is one. */
export async function readPage<T>(call: Call<T>): Promise<Page<T>> {
  const entries = await read(call)
  const { response } = await call
  return { entries: [...entries], next: response.headers.get('X-Next-Cursor') ?? undefined }
}

/** A query for a list that is loaded in pages. */
export function pagedQuery<T>(
  queryKey: readonly unknown[],
  call: (query: PageQuery, options: { signal: AbortSignal }) => Call<T>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(call(pageQuery(pageParam), { signal })),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  })
}
