import type { InventoryEntry } from '@/contract/types'

/** The fields of an entry that the showcase needs. */
export type ShowcaseCard = Pick<InventoryEntry, 'id' | 'item'>
