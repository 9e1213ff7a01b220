import type { GiftOrder } from '@/api/gifts'
import type { GiftChallenge } from '@/contract/types'
import type { ShownItem } from '@/components/shown-item'

/** An entry that is to be given. */
export type GivenEntry = ShownItem & { inventoryId: string; baseValueCents: number }

/** An order with the text to sign, and its link's secret if it has one. */
export interface PreparedGift {
  order: GiftOrder
  challenge: GiftChallenge
  secret: string | undefined
}
