import { useState } from 'react'
import { type FarPrice, farPrice } from '@/contract/far-price'

interface PriceConfirmation {
  /** Why the server asks to confirm the current price; undefined if it doesn't. */
  far: FarPrice | undefined
  /** What to add to the request body to confirm the price. */
  confirmation: { confirmedCents?: number }
  /** Takes the server's error; returns false if it isn't about a price far from the value. */
  onError: (error: unknown) => boolean
}

/** Asks to confirm a price that is far from the item's value. Another price needs a new confirmation. */
export function usePriceConfirmation(priceCents: number | undefined): PriceConfirmation {
  const [asked, setAsked] = useState<{ priceCents: number; far: FarPrice }>()
  const far = asked !== undefined && asked.priceCents === priceCents ? asked.far : undefined
  return {
    far,
    confirmation: far && priceCents !== undefined ? { confirmedCents: priceCents } : {},
    onError: (error) => {
      const found = farPrice(error)
      if (!found || priceCents === undefined) return false
      setAsked({ priceCents, far: found })
      return true
    },
  }
}
