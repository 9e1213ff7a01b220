import { dollars } from '@/lib/format'
import { FarPrice } from './far-price'
import { PriceForm } from './price-form'
import { marketTexts } from './texts'
import { useBestBid } from './use-best-bid'
import { useOffering } from './use-offering'

interface OfferFormProps {
  /** Lists an entry, or changes its price. */
  act: 'list' | 'reprice'
  inventoryId: string
  /** For how much it is for sale already. */
  priceCents?: number
  /** What the button says, while it waits, and what is said when it is done. */
  words: { confirm: string; confirming: string; done: string }
  onQuickSell?: (() => void) | undefined
  /** Called when nothing is left to ask. */
  onClose: () => void
}

/** Asks for a price, and again for one that is far from the value. */
export function OfferForm({ act, inventoryId, priceCents, words, onQuickSell, onClose }: OfferFormProps) {
  const t = marketTexts.useT().selling
  const bestBidCents = useBestBid(inventoryId)
  const { offer, pending, far, reconsider, confirm } = useOffering(act, inventoryId, words.done, onClose)
  if (far) {
    return (
      <FarPrice
        far={far}
        confirm={t.far.confirm(dollars(far.priceCents))}
        pending={pending}
        onConfirm={confirm}
        onBack={reconsider}
        onQuickSell={onQuickSell}
      />
    )
  }
  return (
    <PriceForm
      priceCents={priceCents}
      bestBidCents={bestBidCents}
      {...words}
      pending={pending}
      onPrice={(cents) => (cents === priceCents ? onClose() : offer(cents))}
      onCancel={onClose}
    />
  )
}
