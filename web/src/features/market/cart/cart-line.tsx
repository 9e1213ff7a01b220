import { X } from 'lucide-react'
import { useEntry } from '@/api/inventory'
import { ItemCard } from '@/components/item-card'
import { useT } from '@/i18n'
import { dollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { marketTexts } from '../texts'
import type { CartItem } from './cart'

interface CartLineProps {
  line: CartItem
  /** The error code if it couldn't be bought. */
  skipped: string | undefined
  onRemove: () => void
  onReprice: (priceCents: number) => void
}

/** A listing in the cart, with the price at which it was added. */
export function CartLine({ line: { inventoryId, priceCents, item }, skipped, onRemove, onReprice }: CartLineProps) {
  const t = marketTexts.useT().cart
  const { errors } = useT()
  const cartErrors: Partial<Record<string, string>> = t.why
  const sharedErrors: Partial<Record<string, string>> = errors
  return (
    <div className="flex items-center gap-3 py-2.5">
      <ItemCard
        item={{ ...item, inventoryId }}
        layout="row"
        pictureClassName="h-14"
        valueCents={priceCents}
        className="min-w-0 flex-1"
      >
        {skipped !== undefined && (
          <p className="mt-1 flex flex-wrap items-center gap-2 text-xs text-destructive-text">
            <span>{cartErrors[skipped] ?? sharedErrors[skipped] ?? errors.unknown}</span>
            {skipped === 'price_changed' && <AcceptPriceButton inventoryId={inventoryId} onReprice={onReprice} />}
          </p>
        )}
      </ItemCard>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t.removeItem(item.name)}
        title={t.remove}
        onClick={onRemove}
        className="shrink-0"
      >
        <X aria-hidden />
      </Button>
    </div>
  )
}

/** Accepts the current price. */
function AcceptPriceButton({
  inventoryId,
  onReprice,
}: {
  inventoryId: string
  onReprice: (priceCents: number) => void
}) {
  const t = marketTexts.useT().cart
  const price = useEntry(inventoryId).data?.salePriceCents
  if (price == null) return null
  return (
    <Button variant="secondary" size="sm" onClick={() => onReprice(price)} className="h-6 px-2 text-xs">
      {t.acceptPrice(dollars(price))}
    </Button>
  )
}
