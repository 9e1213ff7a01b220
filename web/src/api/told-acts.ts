import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { type OtherTabs, otherTabs } from '@/lib/other-tabs'

/** What an act has changed, and the address of who did it. */
interface Told {
  address: string
  queryKeys: readonly QueryKey[]
}

const ways = new WeakMap<QueryClient, OtherTabs<Told>>()

/** How a tab, known by its cache, and the others tell each other what was done. */
export function toldActs(queryClient: QueryClient): OtherTabs<Told> {
  const way = ways.get(queryClient) ?? otherTabs<Told>('acts')
  ways.set(queryClient, way)
  return way
}
