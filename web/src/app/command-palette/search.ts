import type { Item, Pack } from '@/contract/types'
import { packNameIn } from '@/lib/pack-name'
import type { Language } from '@/lib/language'
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
  language: Language
  seriesName: (series: string) => string
  isAdmin: boolean
  packs: readonly Pack[]
  items: readonly Item[]
}

/**
 * Pages and packs whose name has every word of the query, and the items the server found. A pack is found by its
 * English and by its Chinese name in either language.
 */
export function targetsFor(query: string, places: Places): Target[] {
  const { names, language, seriesName, isAdmin, packs, items } = places
  const words = normalizeSearch(query).split(/\s+/).filter(Boolean)
  const matches = (text: string) => words.every((word) => normalizeSearch(text).includes(word))
  return [
    ...navPagesFor(isAdmin)
      .filter(([name]) => matches(names[name]))
      .map(([name, { path }]): Target => ({ kind: 'pages', key: name, text: names[name], to: path })),
    ...packs
      .filter(({ name, nameZh = '' }) => matches(`${name} ${nameZh}`))
      .map((pack): Target => ({
        kind: 'packs',
        key: pack.id,
        text: packNameIn(language, pack),
        detail: pack.price,
        to: `/pack/${pack.id}`,
      })),
    ...items.map((item): Target => ({
      kind: 'items',
      key: item.id,
      text: item.name,
      detail: seriesName(item.series),
      to: `/item/${item.id}`,
    })),
  ]
}
