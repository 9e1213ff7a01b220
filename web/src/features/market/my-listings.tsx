import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useMyListings } from '@/api/inventory'
import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import { marketTexts } from './texts'
import type { InventoryEntry } from '@/contract/types'
import { config, terms } from '@/lib/config'
import { useSession } from '@/lib/session'
import { StableList } from '@/components/ui/stable-list'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { ListingForm } from './listing-form'
import { DelistButton } from './sell-buttons'

/** The user's listings. Without any it shows the text that the specification asks for. */
export default function MyListings({ onClose }: { onClose: () => void }) {
  const { market } = marketTexts.useT().market
  const { failed } = marketTexts.useT().trade
  const t = marketTexts.useT().selling
  const listings = useMyListings()
  const isEmpty = listings.data?.length === 0
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className={isEmpty ? undefined : 'max-w-xl'}>
        {isEmpty ? (
          <DialogHeader className="mb-0" title={market.comingSoon} text={market.manageText} />
        ) : (
          <DialogHeader title={t.mine} text={t.mineText} />
        )}
        <Loaded query={listings} failed={failed} skeleton={<Skeleton className="h-24 rounded-xl" />} empty={null}>
          {(entries) => (
            <StableList rows={entries} idOf={({ id }) => id} className="divide-y divide-line" rowClassName="py-3">
              {(entry) => <MyListing entry={entry} />}
            </StableList>
          )}
        </Loaded>
        {listings.data?.length === terms.largestPage && (
          <p className="mt-3 text-sm text-muted-foreground">{t.more(terms.largestPage)}</p>
        )}
      </DialogContent>
    </Dialog>
  )
}

export function MyListing({ entry }: { entry: InventoryEntry }) {
  const t = marketTexts.useT().selling
  const { walletMismatch } = useSession()
  const [editing, setEditing] = useState(false)
  const price = entry.salePriceCents ?? 0
  return (
    <div className="space-y-3">
      <ItemCard
        item={itemOf(entry)}
        layout="row"
        valueCents={price}
        actions={
          !editing && (
            <div className="flex gap-2">
              {config.rules.market && (
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={t.editItem(entry.item.name)}
                  disabled={walletMismatch}
                  onClick={() => setEditing(true)}
                >
                  <Pencil aria-hidden />
                  <span>{t.edit}</span>
                </Button>
              )}
              <DelistButton entry={entry} />
            </div>
          )
        }
      />
      {editing && (
        <ListingForm
          act="reprice"
          inventoryId={entry.id}
          priceCents={price}
          labels={{ confirm: t.save, confirming: t.saving, done: t.saved }}
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  )
}
