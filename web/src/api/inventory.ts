import { hashKey, queryOptions, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import type { EntryFilter, EntryLife } from '@/contract/types'
import { ApiError } from '@/contract/error'
import { terms } from '@/lib/config'
import { useSignedIn } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagedQuery } from './paged-query'

const fetchEntries = (query: EntryFilter & PageQuery, signal: AbortSignal) =>
  api.GET('/api/inventory/me', { params: { query }, signal })

const inventoryQuery = (tab: EntryFilter, filter: EntryFilter) =>
  pagedQuery([...keys.inventory, tab, filter], (page, { signal }) =>
    fetchEntries({ ...filter, ...tab, ...page }, signal),
  )

/**
 * The visitor's entries of a tab that match a filter, newest first unless sorted, in pages. Shows the previous ones of
 * the tab while another filter loads.
 */
export function useInventory(tab: EntryFilter = {}, filter: EntryFilter = {}) {
  const tabKey = hashKey([tab])
  return useInfiniteQuery({
    ...inventoryQuery(tab, filter),
    placeholderData: (before, query) => (hashKey([query?.queryKey[1]]) === tabKey ? before : undefined),
    enabled: useSignedIn(),
  })
}

const myListingsQuery = queryOptions({
  queryKey: [...keys.inventory, 'for sale'],
  queryFn: ({ signal }) => read(fetchEntries({ state: 'listed', limit: terms.largestPage }, signal)),
})

/** The visitor's listings, newest entries first, at most one page. */
export function useMyListings() {
  return useQuery({ ...myListingsQuery, enabled: useSignedIn() })
}

/** The visitor's copies of an item that can be sold or delisted, newest first. `words` are those of its name. */
export function useCopies(itemId: string, words: string) {
  return useQuery({
    queryKey: [...keys.inventory, 'copies', itemId],
    queryFn: async ({ signal }) => {
      const found = await read(fetchEntries({ search: words, limit: terms.largestPage }, signal))
      return found.filter(({ item, state }) => item.id === itemId && (state === 'held' || state === 'listed'))
    },
    enabled: useSignedIn(),
  })
}

const summaryQuery = queryOptions({
  queryKey: keys.inventorySummary,
  queryFn: ({ signal }) => read(api.GET('/api/inventory/summary', { signal })),
})

/** Totals of all the visitor's entries. */
export function useInventorySummary() {
  return useQuery({ ...summaryQuery, enabled: useSignedIn() })
}

const entryQuery = (id: string) =>
  queryOptions({
    queryKey: keys.entry(id),
    queryFn: ({ signal }) => read(api.GET('/api/inventory/{id}', { params: { path: { id } }, signal })),
  })

/** An entry with its history, of any owner. Needs a session. */
export function useEntry(id: string) {
  return useQuery({ ...entryQuery(id), enabled: useSignedIn() })
}

/** Those of the entries that are still the visitor's; undefined until all have loaded. */
export function useOwnEntries(ids: readonly string[]) {
  const enabled = useSignedIn()
  return useQueries({
    queries: ids.map((id) => ({ ...entryQuery(id), enabled })),
    combine: (queries) => ({
      data: queries.every(({ isFetched }) => isFetched)
        ? queries.flatMap(({ data }) => (data?.own && isOwned(data.state) ? [data] : []))
        : undefined,
      // Entries that no longer exist are left out.
      error: queries.find(({ error }) => error && !(error instanceof ApiError && error.status === 404))?.error ?? null,
      refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
    }),
  })
}

const isOwned = (state: EntryLife['state']) => ['held', 'listed', 'claimed', 'giving'].includes(state)
