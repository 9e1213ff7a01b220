import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, pageQuery, read, readPage } from '@/lib/api/client'
import type { InventoryEntry } from '@/lib/api/types'
import { queryKeys } from '@/lib/query'
import type { Rarity } from '@/lib/rarity'
import { useSession } from '@/lib/session'
import type { CollectionTab } from '../tabs'

interface Filter {
  state?: 'held' | 'listed'
  rarity?: Rarity
}

/** What a tab asks the server for, one after the other. Grails are the toys' Mythics and stand with them. */
function filtersOf(tab: CollectionTab): Filter[] {
  switch (tab) {
    case 'all':
      return [{}]
    case 'listed':
      return [{ state: 'listed' }]
    case 'unlisted':
      return [{ state: 'held' }]
    case 'Mythic':
      return [{ rarity: 'Mythic' }, { rarity: 'Grail' }]
    default:
      return [{ rarity: tab }]
  }
}

interface Place {
  filter: number
  cursor?: string
}

/** A page of a tab; one filter's last page is filled up with the first of the next filter. */
async function readTab(filters: readonly Filter[], place: Place, signal: AbortSignal) {
  const { filter, cursor } = place
  const query = { ...filters[filter], ...pageQuery(cursor) }
  const { entries, next } = await readPage(api.GET('/api/inventory/me', { params: { query }, signal }))
  if (next) return { entries, next: { filter, cursor: next } }
  if (filter + 1 >= filters.length) return { entries, next: undefined }
  const rest: { entries: InventoryEntry[]; next: Place | undefined } = await readTab(
    filters,
    { filter: filter + 1 },
    signal,
  )
  return { entries: [...entries, ...rest.entries], next: rest.next }
}

function inventoryQuery(tab: CollectionTab) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.inventory, tab],
    queryFn: ({ pageParam, signal }) => readTab(filtersOf(tab), pageParam, signal),
    initialPageParam: { filter: 0 } as Place,
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  })
}

/** The visitor's entries on a tab, newest first, a page at a time. */
export function useInventory(tab: CollectionTab) {
  const { status, frozen } = useSession()
  return useInfiniteQuery({ ...inventoryQuery(tab), enabled: status === 'signed-in' && !frozen })
}

const summaryQuery = queryOptions({
  queryKey: queryKeys.inventorySummary,
  queryFn: ({ signal }) => read(api.GET('/api/inventory/summary', { signal })),
})

/** Totals of everything the visitor owns, whatever the page shows of it. */
export function useInventorySummary() {
  const { status, frozen } = useSession()
  return useQuery({ ...summaryQuery, enabled: status === 'signed-in' && !frozen })
}
