import type { InventoryEntry, PulledItem } from '@/contract/types'

/** As much of an item as a call tells of it; `inventoryId` is the entry's, where somebody owns it. */
export type ShownItem = Pick<PulledItem, 'name'> & Partial<PulledItem>

/** The item of an entry or a listing, which call the kind of certificate by another name. */
export function itemOf({ id, item: { certification, ...item } }: Pick<InventoryEntry, 'id' | 'item'>) {
  return { ...item, certType: certification, inventoryId: id } satisfies ShownItem
}
