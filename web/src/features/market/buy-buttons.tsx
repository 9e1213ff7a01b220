import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useBuy } from '@/api/marketplace'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { marketTexts } from './texts'
import { unanswered } from '@/contract/error'
import type { Listing } from '@/contract/types'
import { cn } from '@/lib/cn'
import { points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { spendOnce } from '@/lib/spend-once'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import AddButton from './cart/add-button'
import { usePurchaseConfirmation } from './purchase-confirmation'

type Buyable = Pick<Listing, 'id' | 'listingId' | 'item' | 'salePriceCents'>

interface BuyButtonsProps {
  listing: Buyable
  /** The user's balance; undefined while loading and signed out. */
  balanceCents: number | undefined
  /** The buy button's words; "Buy for x points" unless given. */
  label?: ((price: string) => string) | undefined
  size?: 'md' | 'lg'
  /** Called with the id of the bought entry. */
  onBought?: ((inventoryId: string) => void) | undefined
}

/** A label of any length: narrow cards break it into two lines. */
const wrapping = 'h-auto min-w-0 flex-1 px-2 py-1 leading-tight text-balance whitespace-normal'
const minHeight = { md: 'min-h-10', lg: 'min-h-12' }

/**
 * Buys another user's listing after a second press, or links to the top-up if the balance is too low. Next to it is the
 * cart button, which cancels during the confirmation.
 */
export function BuyButtons({ listing, balanceCents, label, size = 'md', onBought }: BuyButtonsProps) {
  const t = marketTexts.useT().trade
  const { salePriceCents } = listing
  // Another listing or price needs a new confirmation.
  const offer = `${listing.listingId} ${salePriceCents}`
  const [asked, setAsked] = useState<string>()
  const missing = balanceCents === undefined ? 0 : salePriceCents - balanceCents
  if (missing > 0) {
    return (
      <>
        <Button asChild size={size} variant="secondary" className={cn(wrapping, minHeight[size])}>
          <Link to="/topup" search={{ amount: Math.ceil(missing / 100) }}>
            {t.topUp(points(missing))}
          </Link>
        </Button>
        <CartToggle listing={listing} size={size} />
      </>
    )
  }
  const asking = asked === offer
  return (
    <>
      <BuyButton
        listing={listing}
        label={label ?? t.buy}
        size={size}
        asking={asking}
        onAsk={(ask) => setAsked(ask ? offer : undefined)}
        onBought={onBought}
      />
      {asking ? (
        <Button
          variant="secondary"
          size="icon"
          aria-label={t.cancel}
          title={t.cancel}
          onClick={() => setAsked(undefined)}
          className={cartSize[size]}
        >
          <X aria-hidden />
        </Button>
      ) : (
        <CartToggle listing={listing} size={size} />
      )}
    </>
  )
}

interface BuyButtonProps {
  listing: Buyable
  label: (price: string) => string
  size: 'md' | 'lg'
  /** Whether the next press buys. */
  asking: boolean
  onAsk: (ask: boolean) => void
  onBought: ((inventoryId: string) => void) | undefined
}

function BuyButton({ listing, label, size, asking, onAsk, onBought }: BuyButtonProps) {
  const { id, listingId, item, salePriceCents } = listing
  const texts = useT()
  const t = marketTexts.useT().trade
  const { status, walletMismatch, connect } = useSession()
  const confirms = usePurchaseConfirmation()
  const buying = useBuy({
    onDone: (_, bought) => {
      onBought?.(bought.inventoryId)
      toast({ title: t.bought, description: t.boughtText })
    },
    onFailed: (error) => {
      const reason = errorText(error, texts)
      toast({
        title: t.buyFailed,
        description: unanswered(error) ? `${reason} ${t.buyUnsure}` : reason,
        variant: 'destructive',
      })
    },
  })
  function press() {
    if (status === 'signed-out') return connect()
    if (confirms && !asking) return onAsk(true)
    onAsk(false)
    buying.mutate({ inventoryId: id, listingId, expectedPriceCents: salePriceCents })
  }
  const handlers = spendOnce(press)
  const price = points(salePriceCents)
  const text = asking ? t.confirmBuy(price) : label(price)
  return (
    <>
      <Button
        size={size}
        aria-label={t.withItem(text, item.name)}
        disabled={walletMismatch || status === 'loading' || buying.isPending}
        onClick={handlers.onClick}
        onKeyDown={(event) => {
          handlers.onKeyDown(event)
          if (event.key === 'Escape' && asking) onAsk(false)
        }}
        onBlur={() => onAsk(false)}
        className={cn(wrapping, minHeight[size], asking && 'ring-2 ring-gold ring-offset-2 ring-offset-background')}
      >
        {buying.isPending && <Spinner />}
        <span>{text}</span>
      </Button>
      <span role="status" className="sr-only">
        {asking && t.confirmHint}
      </span>
    </>
  )
}

const cartSize = { md: 'size-10', lg: 'size-12' }

function CartToggle({ listing: { id, salePriceCents, item }, size }: { listing: Buyable; size: 'md' | 'lg' }) {
  const { name, imageUrl, rarity, grade, series } = item
  return (
    <AddButton
      line={{ inventoryId: id, priceCents: salePriceCents, item: { name, imageUrl, rarity, grade, series } }}
      className={cartSize[size]}
    />
  )
}
