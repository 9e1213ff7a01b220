import type { InventoryEntry } from '@/lib/api/types'
import { asRarity } from '@/lib/rarity'

export const collectionTabs = ['all', 'Common', 'Rare', 'Epic', 'Legendary', 'Mythic'] as const

export type CollectionTab = (typeof collectionTabs)[number]

/** Grails are the toys' Mythics and stand with them. */
export function entriesOnTab(entries: readonly InventoryEntry[], tab: CollectionTab): InventoryEntry[] {
  if (tab === 'all') return [...entries]
  return entries.filter(({ item }) => {
    const rarity = asRarity(item.rarity)
    return rarity === tab || (rarity === 'Grail' && tab === 'Mythic')
  })
}

export interface Totals {
  items: number
  valueCents: number
  listed: number
  rarities: number
}

export function totalsOf(entries: readonly InventoryEntry[]): Totals {
  return {
    items: entries.length,
    valueCents: entries.reduce((sum, { item }) => sum + item.baseValueCents, 0),
    listed: entries.filter((entry) => entry.forSale).length,
    rarities: new Set(entries.map(({ item }) => item.rarity)).size,
  }
}
