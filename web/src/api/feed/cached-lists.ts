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
    const update = () => queryClient.setQueryData<T>(query.queryKey, (data) => data && change(data, query))
    if (!query.isActive()) {
      void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
      continue
    }
    update()
    // A response in flight may be older than the event.
    if (query.state.fetchStatus === 'fetching') void query.promise?.catch(() => {}).then(() => setTimeout(update))
  }
}

/** Whether cached data is a paged list. */
export function isPaged<T>(data: unknown): data is PagedData<T> {
  return typeof data === 'object' && data !== null && 'pages' in data
}

/** A list with one entry changed; undefined if it doesn't contain the entry. */
export function withChanged<T extends Named>(list: readonly T[], id: string, change: (entry: T) => T): T[] | undefined {
  const found = list.find((entry) => entry.id === id)
  return found && list.map((entry) => (entry === found ? change(found) : entry))
}

/** The same for a paged list. */
export function withChangedPage<T extends Named>(data: PagedData<T>, id: string, change: (entry: T) => T) {
  const at = data.pages.findIndex(({ entries }) => entries.some((entry) => entry.id === id))
  const page = data.pages[at]
  const entries = page && withChanged(page.entries, id, change)
  return entries && { ...data, pages: data.pages.with(at, { ...page, entries }) }
}

/** The ids of new rows, with one added if `present`, else removed. */
export function withId(newIds: readonly string[] = [], id: string, present: boolean): readonly string[] {
  if (newIds.includes(id) === present) return newIds
  return present ? [...newIds, id] : newIds.filter((other) => other !== id)
}

/** A paged list with the id of a new row added if `present`, else removed. */
export function withNewRow<T>(data: PagedData<T>, id: string, present: boolean): PagedData<T> {
  const [first, ...rest] = data.pages
  return first ? { ...data, pages: [{ ...first, newIds: withId(first.newIds, id, present) }, ...rest] } : data
}
