import { useState } from 'react'
import { useOffer } from '@/api/marketplace'
import { useT } from '@/i18n'
import { farPrice } from '@/contract/far-price'
import { dollars, points } from '@/lib/format'
import { toast } from '@/lib/toast'
import type { FarListingPrice } from './price-warning'
import { showSellerError } from './seller-error'
import { marketTexts } from './texts'

interface SetPrice {
  submit: (priceCents: number) => void
  pending: boolean
  /** The submitted price, if the server asks to confirm it. */
  far: FarListingPrice | undefined
  /** Goes back to the form without confirming. */
  goBack: () => void
  confirm: () => void
}

/** Lists an entry or changes its price, and shows the outcome. */
export function useSetPrice(
  act: 'list' | 'reprice',
  inventoryId: string,
  doneTitle: string,
  onDone: () => void,
): SetPrice {
  const texts = useT()
  const t = marketTexts.useT().selling
  const [far, setFar] = useState<FarListingPrice>()
  const offering = useOffer(act, {
    onDone: ({ sold }) => {
      if (sold) {
        const received = points(sold.priceCents - sold.feeCents)
        toast({ title: t.soldToBid(dollars(sold.priceCents)), description: t.soldToBidText(received) })
      } else {
        toast({ title: doneTitle })
      }
      onDone()
    },
    onFailed: (error, { priceCents }) => {
      const farFromValue = farPrice(error)
      setFar(farFromValue && { ...farFromValue, priceCents })
      if (!farFromValue) void showSellerError(t.listFailed, error, texts)
    },
  })
  return {
    submit: (priceCents) => offering.mutate({ inventoryId, priceCents }),
    pending: offering.isPending,
    far,
    goBack: () => setFar(undefined),
    confirm: () => far && offering.mutate({ inventoryId, priceCents: far.priceCents, confirmedCents: far.priceCents }),
  }
}
