import { config } from '@/lib/config'
import type { InventoryEntry, PulledItem, VaultCard } from '@/contract/types'
import { itemOf, type ShownItem } from '@/components/shown-item'

/** An entry the user owns, with Kaibao's offer. */
export type Sellable = ShownItem & Pick<PulledItem, 'id' | 'inventoryId' | 'baseValueCents' | 'sellBackCents'>

/** An entry the user owns, with its state. */
export type Owned = Sellable &
  Pick<InventoryEntry, 'state' | 'vaulted'> &
  Partial<Pick<InventoryEntry, 'salePriceCents'>>

/** `sellBackCents` is null for entries of other users, which can't be sold. */
export function ownedEntry(
  entry: Omit<InventoryEntry, 'sellBackCents' | 'forSale'> & { sellBackCents: number | null },
): Owned {
  const { state, vaulted, salePriceCents, sellBackCents } = entry
  return { ...itemOf(entry), state, vaulted, salePriceCents, sellBackCents: sellBackCents ?? 0 }
}

export function ownedCard({ id, itemId, itemName, ...card }: VaultCard): Owned {
  return { ...card, id: itemId, inventoryId: id, name: itemName, vaulted: true }
}

/** Whether Kaibao buys it now. */
export function isSellable({ state, sellBackCents }: Pick<Owned, 'state' | 'sellBackCents'>): boolean {
  return config.rules.sellBack && state === 'held' && sellBackCents > 0
}

/** Whether it can be sold, listed or delisted. */
export function isTradable({ state }: Pick<Owned, 'state'>): boolean {
  const { market, sellBack } = config.rules
  return (state === 'held' && (market || sellBack)) || state === 'listed'
}

export function sumOf(items: readonly { sellBackCents: number }[]): number {
  return items.reduce((sum, { sellBackCents }) => sum + sellBackCents, 0)
}
