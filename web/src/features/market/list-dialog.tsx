import { useList } from '@/api/trade'
import { useT } from '@/i18n'
import { sellingTexts } from './texts/selling'
import { tradeTexts } from './texts/trade'
import type { InventoryEntry } from '@/lib/contract/types'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Art } from '@/ui/art'
import { Dialog, DialogContent, DialogHeader } from '@/ui/dialog'
import { PriceForm } from './price-form'
import { tellSeller } from './tell-seller'

interface ListDialogProps {
  entry: InventoryEntry
  onClose: () => void
}

/** Puts an entry up for sale. */
export default function ListDialog({ entry: { id, item }, onClose }: ListDialogProps) {
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
        <div className="mb-5 flex items-center gap-4 rounded-xl border bg-background p-3">
          <Art src={item.imageUrl} alt="" className="h-20 w-auto shrink-0" />
          <div className="min-w-0 text-sm">
            <p className="line-clamp-2 font-medium">{item.name}</p>
            <p className="mt-1 text-muted-foreground">
              {baseValue}{' '}
              <span className="font-semibold text-foreground tabular-nums">{dollars(item.baseValueCents)}</span>
            </p>
          </div>
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
