import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { EntryFilter, InventoryEntry } from '@/contract/types'
import { terms } from '@/lib/config'
import { useSignedIn } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pageQuery, readPage } from './paged-query'

const entries = (query: EntryFilter & PageQuery, signal: AbortSignal) =>
  api.GET('/api/inventory/me', { params: { query }, signal })

interface Place {
  filter: number
  cursor?: string
}

/** A page of several filters' entries; one filter's last page is filled up with the first of the next filter. */
async function readInTurn(filters: readonly EntryFilter[], { filter, cursor }: Place, signal: AbortSignal) {
  const page = await readPage(entries({ ...filters[filter], ...pageQuery(cursor) }, signal))
  if (page.next) return { entries: page.entries, next: { filter, cursor: page.next } }
  if (filter + 1 >= filters.length) return { entries: page.entries, next: undefined }
  const rest: { entries: InventoryEntry[]; next: Place | undefined } = await readInTurn(
    filters,
    { filter: filter + 1 },
    signal,
  )
  return { entries: [...page.entries, ...rest.entries], next: rest.next }
}

function inventoryQuery(filters: readonly EntryFilter[]) {
  return infiniteQueryOptions({
    queryKey: [...keys.inventory, filters],
    queryFn: ({ pageParam, signal }: { pageParam: Place; signal: AbortSignal }) =>
      readInTurn(filters, pageParam, signal),
    initialPageParam: { filter: 0 },
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap((page) => page.entries),
  })
}

/** The visitor's entries that pass the filters, one filter after the other, newest first, a page at a time. */
export function useInventory(filters: readonly EntryFilter[]) {
  return useInfiniteQuery({ ...inventoryQuery(filters), enabled: useSignedIn() })
}

const myListingsQuery = queryOptions({
  queryKey: [...keys.inventory, 'for sale'],
  queryFn: ({ signal }) => read(entries({ state: 'listed', limit: terms.largestPage }, signal)),
})

/** The visitor's own listings, the newest entries first, as many as a page holds. */
export function useMyListings() {
  return useQuery({ ...myListingsQuery, enabled: useSignedIn() })
}

const summaryQuery = queryOptions({
  queryKey: keys.inventorySummary,
  queryFn: ({ signal }) => read(api.GET('/api/inventory/summary', { signal })),
})

/** Totals of everything the visitor owns, whatever the page shows of it. */
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
