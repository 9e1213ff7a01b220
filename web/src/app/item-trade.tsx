import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { lazy, startTransition, useState } from 'react'
import { useCopies } from '@/api/inventory'
import { useWallet } from '@/api/wallet'
import type { KeptItem } from '@/contract/on-sale'
import type { InventoryEntry } from '@/contract/types'
import { PlaceBid } from '@/features/bids/item-bids'
import { searchTextOf } from '@/features/item/search-text'
import { BuyButtons } from '@/features/market/buy-buttons'
import { marketTexts } from '@/features/market/texts'
import { ownedEntry } from '@/features/sellback/sellable'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { useSelling } from './use-selling'

const ListDialog = lazy(() => import('@/features/market/list-dialog'))

const none: readonly InventoryEntry[] = []

/** Buttons to buy the cheapest copy of an item, to bid on it, and to sell the visitor's own. */
export default function ItemTrade({ item }: { item: KeptItem }) {
  const t = marketTexts.useT().trade
  const balanceCents = useWallet().data?.balanceCents
  const copies = useCopies(item.id, searchTextOf(item.name)).data ?? none
  const [bought, setBought] = useState<string>()
  const { sellNow, dialog } = useSelling(ownedEntry)
  const cheapest = item.listings.find(({ id, gone }) => !gone && !copies.some((copy) => copy.id === id))
  const held = copies.find(({ state }) => state === 'held')
  const listed = copies.find(({ state }) => state === 'listed')
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {cheapest && (
          <div className="flex min-w-60 flex-1 gap-2">
            <BuyButtons
              listing={{ ...cheapest, item: { ...item, certification: item.certType } }}
              balanceCents={balanceCents}
              label={bought ? t.buyAnother : t.buyNow}
              size="lg"
              onBought={setBought}
            />
          </div>
        )}
        <PlaceBid item={item} primary={!cheapest} />
        {held ? (
          <SellYours entry={held} onQuickSell={() => sellNow(held)} />
        ) : (
          listed && (
            <Button asChild size="lg" variant="secondary">
              <Link to="/entry/$entryId" params={{ entryId: listed.id }}>
                {t.yourListing}
              </Link>
            </Button>
          )
        )}
      </div>
      {bought && (
        <p className="mt-3 flex items-center gap-2 text-sm">
          <Check aria-hidden className="size-4 text-positive-text" />
          <span className="font-medium text-positive-text">{t.gone.bought}</span>
          <Link
            to="/entry/$entryId"
            params={{ entryId: bought }}
            className="rounded-sm text-gold-text underline underline-offset-4"
          >
            {t.viewBought}
          </Link>
        </p>
      )}
      {dialog}
    </>
  )
}

/** Lists one of the visitor's copies, or sells it to Kaibao from the same dialog. */
function SellYours({ entry, onQuickSell }: { entry: InventoryEntry; onQuickSell: () => void }) {
  const t = marketTexts.useT().trade
  const { walletMismatch } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="lg"
        variant="secondary"
        disabled={walletMismatch}
        onClick={() => startTransition(() => setOpen(true))}
      >
        {t.sellYours}
      </Button>
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <ListDialog entry={entry} onQuickSell={onQuickSell} onClose={() => setOpen(false)} />}
      </DialogSlot>
    </>
  )
}
