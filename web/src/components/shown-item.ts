import type { InventoryEntry, PulledItem } from '@/contract/types'

/** The item fields that a response has; `inventoryId` if it is an owned entry. */
export type ShownItem = Pick<PulledItem, 'name'> & Partial<PulledItem>

/** The item of an entry or listing, whose certificate field has another name in the API. */
export function itemOf({ id, item: { certification, ...item } }: Pick<InventoryEntry, 'id' | 'item'>) {
  return { ...item, certType: certification, inventoryId: id } satisfies ShownItem
}
