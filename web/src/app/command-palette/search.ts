import type { Item, Pack } from '@/contract/types'
import { normalizeSearch } from '@/lib/normalize-search'
import { type NavPageName, navPagesFor } from '../pages'

export interface Target {
  kind: 'pages' | 'packs' | 'items'
  key: string
  text: string
  detail?: string
  to: string
}

interface Places {
  names: Record<NavPageName, string>
  isAdmin: boolean
  packs: readonly Pack[]
  items: readonly Item[]
}

/** Pages and packs whose name has every word of the query, and the items the server found. */
export function targetsFor(query: string, { names, isAdmin, packs, items }: Places): Target[] {
  const words = normalizeSearch(query).split(/\s+/).filter(Boolean)
  const matches = (text: string) => words.every((word) => normalizeSearch(text).includes(word))
  return [
    ...navPagesFor(isAdmin)
      .filter(([name]) => matches(names[name]))
      .map(([name, { path }]): Target => ({ kind: 'pages', key: name, text: names[name], to: path })),
    ...packs
      .filter(({ name }) => matches(name))
      .map((pack): Target => ({
        kind: 'packs',
        key: pack.id,
        text: pack.name,
        detail: pack.price,
        to: `/pack/${pack.id}`,
      })),
    ...items.map((item): Target => ({
      kind: 'items',
      key: item.id,
      text: item.name,
      detail: item.series,
      to: `/item/${item.id}`,
    })),
  ]
}
