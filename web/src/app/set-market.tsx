import { ShoppingCart } from 'lucide-react'
import { lazy, startTransition, useState } from 'react'
import { useWallet } from '@/api/wallet'
import type { Finish, SetCard } from '@/contract/types'
import { BidButton } from '@/features/bids/bid-button'
import { bidsTexts } from '@/features/bids/texts'
import { BuyButtons } from '@/features/market/buy-buttons'
import type { CartItem } from '@/features/market/cart/cart'
import { useCart } from '@/features/market/cart/cart'
import CartButton from '@/features/market/cart/cart-button'
import { setsTexts } from '@/features/sets/texts'
import { terms } from '@/lib/config'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { HandCoinsIcon } from '@/components/ui/card-icons'

const BidOnManyDialog = lazy(() => import('@/features/bids/bid-on-many-dialog'))

/** Buys the cheapest copy of a missing card, or bids on it if nobody sells one. */
export function TradeMissing({ card: { item, ask } }: { card: SetCard }) {
  const t = setsTexts.useT().set
  const { bidFor } = bidsTexts.useT().bids
  const balanceCents = useWallet().data?.balanceCents
  if (!ask) {
    return (
      <BidButton
        target={{ scope: { itemId: item.id }, item }}
        variant="secondary"
        size="sm"
        aria-label={bidFor(item.name)}
        className="w-full"
      >
        {t.bid}
      </BidButton>
    )
  }
  const { inventoryId, listingId, priceCents } = ask
  return (
    <div className="flex gap-2">
      <BuyButtons
        listing={{
          id: inventoryId,
          listingId,
          salePriceCents: priceCents,
          item: { ...item, certification: item.certType },
        }}
        balanceCents={balanceCents}
        label={t.from}
      />
    </div>
  )
}

function cartItemOf({ inventoryId, priceCents, item }: Finish['lines'][number]): CartItem {
  const { name, imageUrl, rarity, grade, series } = item
  return { inventoryId, priceCents, item: { name, imageUrl, rarity, grade, series } }
}

/** Adds the cheapest listings of missing cards to the cart, as many as fit. */
export function AddToCart({ lines }: { lines: Finish['lines'] }) {
  const t = setsTexts.useT().finish
  const { walletMismatch } = useSession()
  const cart = useCart()
  const remaining = lines.filter(({ inventoryId }) => cart.lines.every((line) => line.inventoryId !== inventoryId))
  function add() {
    const added = cart.add(remaining.map(cartItemOf))
    const left = remaining.length - added
    if (added === 0) toast({ title: t.noRoom(left), variant: 'destructive' })
    else toast({ title: t.added(added), ...(left > 0 && { description: t.noRoom(left) }) })
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      {remaining.length > 0 ? (
        <Button disabled={walletMismatch} onClick={add}>
          <ShoppingCart aria-hidden />
          <span>{t.add(remaining.length)}</span>
        </Button>
      ) : (
        <p className="text-sm text-positive-text">{t.allInCart}</p>
      )}
      {cart.lines.length > 0 && <CartButton size="md" />}
    </div>
  )
}

/** Opens the form that bids on several cards. */
export function BidOnMissing({ items }: { items: Finish['notForSale'] }) {
  const t = setsTexts.useT().finish
  const { walletMismatch } = useSession()
  // The dialog keeps its items: a bid that fills removes its item from the missing ones.
  const [chosen, setChosen] = useState<Finish['notForSale']>()
  const most = items.slice(0, terms.mostBids)
  return (
    <>
      <Button variant="secondary" disabled={walletMismatch} onClick={() => startTransition(() => setChosen(most))}>
        <HandCoinsIcon aria-hidden />
        <span>{t.bid(most.length)}</span>
      </Button>
      <DialogSlot open={chosen !== undefined} onClose={() => setChosen(undefined)}>
        {chosen && <BidOnManyDialog items={chosen} onClose={() => setChosen(undefined)} />}
      </DialogSlot>
    </>
  )
}
