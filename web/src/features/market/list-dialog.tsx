import { useList } from '@/api/trade'
import { ItemCard } from '@/domain/item-card'
import { itemOf } from '@/domain/shown-item'
import { useT } from '@/i18n'
import { sellingTexts } from './texts/selling'
import { tradeTexts } from './texts/trade'
import type { InventoryEntry } from '@/lib/contract/types'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Dialog, DialogContent, DialogHeader } from '@/ui/dialog'
import { PriceForm } from './price-form'
import { tellSeller } from './tell-seller'

interface ListDialogProps {
  entry: Pick<InventoryEntry, 'id' | 'item'>
  onClose: () => void
}

/** Puts an entry up for sale. */
export default function ListDialog({ entry, onClose }: ListDialogProps) {
  const { id, item } = entry
  const texts = useT()
  const { sell, baseValue } = tradeTexts.useT()
  const t = sellingTexts.useT()
  const listing = useList({
    onDone: () => {
      toast({ title: t.listed })
      onClose()
    },
    onFailed: (error) => void tellSeller(t.listFailed, error, texts),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={sell} text={t.sellText} />
        <div className="mb-5 rounded-xl border bg-background p-3">
          <ItemCard
            item={itemOf(entry)}
            look="row"
            facts={[{ label: baseValue, value: dollars(item.baseValueCents) }]}
          />
        </div>
        <PriceForm
          confirm={t.confirm}
          confirming={t.confirming}
          pending={listing.isPending}
          onPrice={(price) => listing.mutate({ inventoryId: id, priceCents: price })}
          onCancel={onClose}
        />
      </DialogContent>
    </Dialog>
  )
}
