import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import { marketTexts } from './texts'
import type { InventoryEntry } from '@/contract/types'
import { dollars } from '@/lib/format'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { ListingForm } from './listing-form'
import { useBestBid } from './use-best-bid'

interface ListDialogProps {
  entry: Pick<InventoryEntry, 'id' | 'item'>
  /** Opens quick sell for the entry. */
  onQuickSell: () => void
  onClose: () => void
}

export default function ListDialog({ entry, onQuickSell, onClose }: ListDialogProps) {
  const { id, item } = entry
  const { sell, baseValue } = marketTexts.useT().trade
  const t = marketTexts.useT().selling
  const bestBidCents = useBestBid(id)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={sell} text={t.sellText} />
        <div className="mb-5 rounded-xl border bg-background p-3">
          <ItemCard
            item={itemOf(entry)}
            layout="row"
            facts={[
              { label: baseValue, value: dollars(item.baseValueCents) },
              ...(bestBidCents === undefined ? [] : [{ label: t.bestBid, value: dollars(bestBidCents) }]),
            ]}
          />
        </div>
        <ListingForm
          act="list"
          inventoryId={id}
          labels={{ confirm: t.confirm, confirming: t.confirming, done: t.listed }}
          onQuickSell={() => {
            onClose()
            onQuickSell()
          }}
          onClose={onClose}
        />
      </DialogContent>
    </Dialog>
  )
}
