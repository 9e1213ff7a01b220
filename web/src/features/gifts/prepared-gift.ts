import type { GiftRequest } from '@/api/gifts'
import type { GiftChallenge } from '@/contract/types'
import type { ShownItem } from '@/components/shown-item'

/** An entry that is to be given. */
export type GivenEntry = ShownItem & { inventoryId: string; baseValueCents: number }

/** A request with the text to sign and, for a gift by link, the link's secret. */
export interface PreparedGift {
  request: GiftRequest
  challenge: GiftChallenge
  secret: string | undefined
}
