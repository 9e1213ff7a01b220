import type { ReactNode } from 'react'
import type { Finish, SetCard } from '@/contract/types'

/** Market controls, passed in by the route. */
export interface SetMarketSlots {
  /** Buttons that buy a missing card or bid on it. */
  trade: (card: SetCard) => ReactNode
  /** Adds the lines of a finish to the cart; undefined without a market. */
  addToCart: ((lines: Finish['lines']) => ReactNode) | undefined
  /** Bids on several cards; undefined without a market. */
  bidOn: ((items: Finish['notForSale']) => ReactNode) | undefined
}
