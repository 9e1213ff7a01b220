import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { EntryFilter, InventoryEntry } from '@/contract/types'
import { terms } from '@/lib/config'
import { useSignedIn } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pageQuery, readPage } from './paged-query'

const fetchEntries = (query: EntryFilter & PageQuery, signal: AbortSignal) =>
  api.GET('/api/inventory/me', { params: { query }, signal })

interface FilterCursor {
  filter: number
  cursor?: string
}

/** A page of several filters' entries. A filter's last page is joined with the first one of the next filter. */
async function readFilterPage(filters: readonly EntryFilter[], { filter, cursor }: FilterCursor, signal: AbortSignal) {
  const page = await readPage(fetchEntries({ ...filters[filter], ...pageQuery(cursor) }, signal))
  if (page.next) return { entries: page.entries, next: { filter, cursor: page.next } }
  if (filter + 1 >= filters.length) return { entries: page.entries, next: undefined }
  const rest: { entries: InventoryEntry[]; next: FilterCursor | undefined } = await readFilterPage(
    filters,
    { filter: filter + 1 },
    signal,
  )
  return { entries: [...page.entries, ...rest.entries], next: rest.next }
}

function inventoryQuery(filters: readonly EntryFilter[]) {
  return infiniteQueryOptions({
    queryKey: [...keys.inventory, filters],
    queryFn: ({ pageParam, signal }: { pageParam: FilterCursor; signal: AbortSignal }) =>
      readFilterPage(filters, pageParam, signal),
    initialPageParam: { filter: 0 },
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap((page) => page.entries),
  })
}

/** The visitor's entries that match each filter in turn, newest first, in pages. */
export function useInventory(filters: readonly EntryFilter[]) {
  return useInfiniteQuery({ ...inventoryQuery(filters), enabled: useSignedIn() })
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

/** An entry with its history, of any owner. Needs a session. */
export function useEntry(id: string) {
  return useQuery({
    queryKey: keys.entry(id),
    queryFn: ({ signal }) => read(api.GET('/api/inventory/{id}', { params: { path: { id } }, signal })),
    enabled: useSignedIn(),
  })
}
