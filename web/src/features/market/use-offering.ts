import { useState } from 'react'
import { useOffer } from '@/api/marketplace'
import { useT } from '@/i18n'
import { farPrice } from '@/contract/far-price'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import type { Far } from './far-price'
import { tellSeller } from './tell-seller'
import { marketTexts } from './texts'

interface Offering {
  offer: (priceCents: number) => void
  pending: boolean
  /** The price that the server asks about again. */
  far: Far | undefined
  /** Takes that price back. */
  reconsider: () => void
  /** Means that price. */
  confirm: () => void
}

/** Puts an entry up for sale, or changes its price, and says what became of it. */
export function useOffering(act: 'list' | 'reprice', inventoryId: string, done: string, onDone: () => void): Offering {
  const texts = useT()
  const t = marketTexts.useT().selling
  const [far, setFar] = useState<Far>()
  const offering = useOffer(act, {
    onDone: ({ sold }) => {
      const title = sold ? t.soldToBid(dollars(sold.priceCents)) : done
      toast(sold ? { title, description: t.soldToBidText(dollars(sold.priceCents - sold.feeCents)) } : { title })
      onDone()
    },
    onFailed: (error, { priceCents }) => {
      const asked = farPrice(error)
      setFar(asked && { ...asked, priceCents })
      if (!asked) void tellSeller(t.listFailed, error, texts)
    },
  })
  return {
    offer: (priceCents) => offering.mutate({ inventoryId, priceCents }),
    pending: offering.isPending,
    far,
    reconsider: () => setFar(undefined),
    confirm: () => far && offering.mutate({ inventoryId, priceCents: far.priceCents, confirmedCents: far.priceCents }),
  }
}
