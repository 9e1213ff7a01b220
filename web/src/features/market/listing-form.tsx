import { PriceForm } from './price-form'
import { PriceWarning } from './price-warning'
import { useBestBid } from './use-best-bid'
import { useSetPrice } from './use-set-price'

interface ListingFormProps {
  act: 'list' | 'reprice'
  inventoryId: string
  /** The current price, if the entry is listed. */
  priceCents?: number
  /** The submit button's label, the same while pending, and the title of the success toast. */
  labels: { confirm: string; confirming: string; done: string }
  onQuickSell?: (() => void) | undefined
  onClose: () => void
}

/** Lists an entry or changes its price. A price far from the value needs a confirmation. */
export function ListingForm({ act, inventoryId, priceCents, labels, onQuickSell, onClose }: ListingFormProps) {
  const bestBidCents = useBestBid(inventoryId)
  const { submit, pending, far, goBack, confirm } = useSetPrice(act, inventoryId, labels.done, onClose)
  if (far) {
    return (
      <PriceWarning
        act={act}
        far={far}
        pending={pending}
        onConfirm={confirm}
        onBack={goBack}
        onQuickSell={onQuickSell}
      />
    )
  }
  return (
    <PriceForm
      priceCents={priceCents}
      bestBidCents={bestBidCents}
      confirm={labels.confirm}
      confirming={labels.confirming}
      pending={pending}
      onPrice={(cents) => (cents === priceCents ? onClose() : submit(cents))}
      onCancel={onClose}
    />
  )
}
