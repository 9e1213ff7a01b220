import { Link } from '@tanstack/react-router'
import { useBuy } from '@/api/marketplace'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { marketTexts } from './texts'
import { unanswered } from '@/contract/error'
import type { Listing } from '@/contract/types'
import { dollars, points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import AddButton from './cart/add-button'

type Buyable = Pick<Listing, 'id' | 'listingId' | 'item' | 'salePriceCents'>

interface BuyButtonsProps {
  listing: Buyable
  /** The user's balance; undefined while loading. */
  balanceCents: number | undefined
  onBought?: () => void
}

/** Buys another user's listing, or links to top up if the balance is too low; with a cart button. */
export function BuyButtons({ listing, balanceCents, onBought }: BuyButtonsProps) {
  const t = marketTexts.useT().trade
  const { salePriceCents } = listing
  return (
    <>
      {balanceCents === undefined || balanceCents >= salePriceCents ? (
        <BuyButton listing={listing} onBought={onBought} />
      ) : (
        <Button asChild variant="secondary" className="min-w-0 flex-1">
          <Link to="/topup">{t.topUp(points(salePriceCents - balanceCents))}</Link>
        </Button>
      )}
      <CartToggle listing={listing} />
    </>
  )
}

function BuyButton({ listing, onBought }: { listing: Buyable; onBought: (() => void) | undefined }) {
  const { id, listingId, item, salePriceCents } = listing
  const texts = useT()
  const t = marketTexts.useT().trade
  const { walletMismatch } = useSession()
  const buying = useBuy({
    onDone: () => {
      onBought?.()
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
  const price = dollars(salePriceCents)
  return (
    <Button
      aria-label={t.buyItem(price, item.name)}
      disabled={walletMismatch || buying.isPending}
      onClick={() => buying.mutate({ inventoryId: id, listingId, expectedPriceCents: salePriceCents })}
      className="min-w-0 flex-1"
    >
      {buying.isPending && <Spinner />}
      <span>{t.buy(price)}</span>
    </Button>
  )
}

function CartToggle({ listing: { id, salePriceCents, item } }: { listing: Buyable }) {
  const { name, imageUrl, rarity, grade, series } = item
  return (
    <AddButton
      line={{ inventoryId: id, priceCents: salePriceCents, item: { name, imageUrl, rarity, grade, series } }}
      className="size-10"
    />
  )
}
