import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Page } from '../paged-query'

/** A cached paged list. */
export type PagedData<T> = InfiniteData<Page<T>>

interface Named {
  id: string
}

/**
 * Updates cached data below a key, or of exactly that key. Queries on screen are changed in place, so that rows don't
 * move; others are marked as stale. `change` returns undefined for data that it doesn't concern.
 */
export function updateActive<T>(
  queryClient: QueryClient,
  where: { queryKey: QueryKey; exact?: boolean },
  change: (data: T, query: Query) => T | undefined,
): void {
  for (const query of queryClient.getQueryCache().findAll(where)) {
    const put = () => queryClient.setQueryData<T>(query.queryKey, (data) => data && change(data, query))
    if (!query.isActive()) {
      void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
      continue
    }
    put()
    // A response in flight may be older than the event.
    if (query.state.fetchStatus === 'fetching') void query.promise?.catch(() => {}).then(() => setTimeout(put))
  }
}

/** Whether cached data is a paged list. */
export function isPaged<T>(data: unknown): data is PagedData<T> {
  return typeof data === 'object' && data !== null && 'pages' in data
}

/** A list with one entry changed; undefined where it is not in it. */
export function withChanged<T extends Named>(list: readonly T[], id: string, change: (entry: T) => T): T[] | undefined {
  const found = list.find((entry) => entry.id === id)
  return found && list.map((entry) => (entry === found ? change(found) : entry))
}

/** The same of a list that is read a page at a time. */
export function withChangedPage<T extends Named>(data: PagedData<T>, id: string, change: (entry: T) => T) {
  const at = data.pages.findIndex(({ entries }) => entries.some((entry) => entry.id === id))
  const page = data.pages[at]
  const entries = page && withChanged(page.entries, id, change)
  return entries && { ...data, pages: data.pages.with(at, { ...page, entries }) }
}

/** The ids that are new since a list was read, with one added or removed. */
export function withId(fresh: readonly string[] = [], id: string, come: boolean): readonly string[] {
  if (fresh.includes(id) === come) return fresh
  return come ? [...fresh, id] : fresh.filter((one) => one !== id)
}

/** The same of a list that is read a page at a time. */
export function withNewRow<T>(data: PagedData<T>, id: string, come: boolean): PagedData<T> {
  const [first, ...rest] = data.pages
  return first ? { ...data, pages: [{ ...first, newIds: withId(first.newIds, id, come) }, ...rest] } : data
}
