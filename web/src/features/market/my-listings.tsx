import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useMyListings } from '@/api/inventory'
import { useReprice } from '@/api/trade'
import { useT } from '@/i18n'
import { marketTexts } from './texts'
import { sellingTexts } from './texts/selling'
import { tradeTexts } from './texts/trade'
import type { InventoryEntry } from '@/lib/contract/types'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { typedPrice } from '@/lib/price'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Art } from '@/ui/art'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/ui/dialog'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { PriceForm } from './price-form'
import { DelistButton } from './sell-buttons'
import { tellSeller } from './tell-seller'

/** The visitor's own listings, to change or take back; with none, the specified text. */
export default function MyListings({ onClose }: { onClose: () => void }) {
  const { market } = marketTexts.useT()
  const { failed } = tradeTexts.useT()
  const t = sellingTexts.useT()
  const listings = useMyListings()
  if (listings.data?.length === 0) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()}>
        <DialogContent>
          <DialogHeader className="mb-0" title={market.comingSoon} text={market.manageText} />
        </DialogContent>
      </Dialog>
    )
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-xl">
        <DialogHeader title={t.mine} text={t.mineText} />
        {listings.isError ? (
          <ErrorState title={failed} error={listings.error} retry={() => void listings.refetch()} />
        ) : (
          <ul className="divide-y divide-line">
            {listings.data?.map((entry) => (
              <li key={entry.id} className="py-3">
                <MyListing entry={entry} />
              </li>
            )) ?? <Skeleton className="h-24 rounded-xl" />}
          </ul>
        )}
        {listings.data?.length === terms.largestPage && (
          <p className="mt-3 text-sm text-muted-foreground">{t.more(terms.largestPage)}</p>
        )}
      </DialogContent>
    </Dialog>
  )
}

function MyListing({ entry }: { entry: InventoryEntry }) {
  const texts = useT()
  const t = sellingTexts.useT()
  const { frozen } = useSession()
  const [editing, setEditing] = useState(false)
  const repricing = useReprice({
    onDone: () => {
      toast({ title: t.saved })
      setEditing(false)
    },
    onFailed: (error) => void tellSeller(t.listFailed, error, texts),
  })
  const { item } = entry
  const price = entry.salePriceCents ?? 0
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-3">
      <Art src={item.imageUrl} alt="" className="h-20 w-auto" />
      <div className="min-w-0">
        <p className="line-clamp-2 text-sm font-medium">{item.name}</p>
        <p className="mt-1 text-sm font-semibold tabular-nums">{dollars(price)}</p>
        {!editing && (
          <div className="mt-2 flex gap-2">
            <Button
              variant="secondary"
              size="sm"
              aria-label={t.editItem(item.name)}
              disabled={frozen}
              onClick={() => setEditing(true)}
            >
              <Pencil aria-hidden />
              {t.edit}
            </Button>
            <DelistButton entry={entry} />
          </div>
        )}
      </div>
      {editing && (
        <div className="col-span-2">
          <PriceForm
            typed={typedPrice(price)}
            confirm={t.save}
            confirming={t.saving}
            pending={repricing.isPending}
            onPrice={(cents) =>
              cents === price ? setEditing(false) : repricing.mutate({ inventoryId: entry.id, priceCents: cents })
            }
            onCancel={() => setEditing(false)}
          />
        </div>
      )}
    </div>
  )
}
