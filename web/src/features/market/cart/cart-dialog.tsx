import { Link } from '@tanstack/react-router'
import { ShoppingCart } from 'lucide-react'
import { useWallet } from '@/api/wallet'
import { dollars, points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { StableList } from '@/components/ui/stable-list'
import { Points } from '@/components/points'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Facts } from '@/components/ui/facts'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { Spinner } from '@/components/ui/spinner'
import { marketTexts } from '../texts'
import { type CartItem, useCart } from './cart'
import { CartLine } from './cart-line'
import { useCheckout } from './use-checkout'

/** The cart, with its total. It buys all items or none, or those that are available. */
export default function CartDialog({ onClose }: { onClose: () => void }) {
  const t = marketTexts.useT().cart
  const { lines, remove, reprice } = useCart()
  const { buy, pending, skipped, clearReasons } = useCheckout(onClose)
  const isEmpty = lines.length === 0
  const onRemove = (ids: readonly string[]) => {
    remove(ids)
    clearReasons(ids)
  }
  const isUnavailable = ({ inventoryId }: CartItem) => permanentErrors.has(skipped.get(inventoryId) ?? '')
  const unavailable = lines.filter(isUnavailable).map(({ inventoryId }) => inventoryId)
  const available = lines.filter((line) => !isUnavailable(line))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        className="max-w-2xl"
        // The first control would be the one that removes a card.
        onOpenAutoFocus={focusDialog}
        {...(isEmpty && { 'aria-describedby': undefined })}
      >
        <DialogHeader title={t.title} text={isEmpty ? undefined : t.text} />
        {isEmpty ? (
          <EmptyState
            icon={<ShoppingCart />}
            title={t.empty}
            text={t.emptyText}
            action={
              <Button asChild onClick={onClose}>
                <Link to="/marketplace">{t.toMarket}</Link>
              </Button>
            }
          />
        ) : (
          <>
            <ScrollRegion aria-label={t.list} className={height}>
              <StableList rows={lines} idOf={({ inventoryId }) => inventoryId} className="divide-y divide-line">
                {(line) => (
                  <CartLine
                    line={line}
                    skipped={skipped.get(line.inventoryId)}
                    onRemove={() => onRemove([line.inventoryId])}
                    onReprice={(priceCents) => {
                      reprice(line.inventoryId, priceCents)
                      clearReasons([line.inventoryId])
                    }}
                  />
                )}
              </StableList>
            </ScrollRegion>
            {unavailable.length > 0 && (
              <Button variant="ghost" size="sm" className="my-2 w-full" onClick={() => onRemove(unavailable)}>
                {t.removeUnavailable(unavailable.length)}
              </Button>
            )}
            {available.length > 0 && (
              <Footer
                count={available.length}
                totalCents={available.reduce((sum, { priceCents }) => sum + priceCents, 0)}
                canBuyAll={unavailable.length === 0}
                pending={pending}
                onBuy={(partial) => buy(available, partial)}
              />
            )}
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}

/** Errors after which a listing can't be bought anymore. */
const permanentErrors: ReadonlySet<string> = new Set(['already_sold', 'not_listed', 'not_found', 'own_listing'])

function focusDialog(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

/** As high as the window allows. */
const height = 'max-h-[max(11rem,100dvh-25rem)]'

interface FooterProps {
  /** The number of available items. */
  count: number
  totalCents: number
  /** Buying all or none is possible: nothing in the cart is unavailable. */
  canBuyAll: boolean
  pending: boolean
  onBuy: (partial: boolean) => void
}

function Footer({ count, totalCents, canBuyAll, pending, onBuy }: FooterProps) {
  const t = marketTexts.useT().cart
  const { walletMismatch } = useSession()
  const balanceCents = useWallet().data?.balanceCents
  const missing = balanceCents === undefined ? 0 : totalCents - balanceCents
  return (
    <div className="border-t pt-4">
      <Facts
        facts={[
          { label: t.total(count), value: <Points cents={totalCents} />, className: 'text-2xl text-gold-text' },
          ...(balanceCents === undefined ? [] : [{ label: t.balance, value: <Points cents={balanceCents} /> }]),
        ]}
      />
      {missing > 0 && (
        <p className="mt-3 flex items-center justify-between gap-3 text-sm text-muted-foreground">
          <span>{t.short(points(missing))}</span>
          <Button asChild variant="secondary" size="sm">
            <Link to="/topup">{t.topUp}</Link>
          </Button>
        </p>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        {(count > 1 || !canBuyAll) && (
          <Button variant="secondary" disabled={walletMismatch || pending} onClick={() => onBuy(true)}>
            {t.buySome(dollars(Math.min(totalCents, balanceCents ?? totalCents)))}
          </Button>
        )}
        <Button disabled={walletMismatch || pending || missing > 0 || !canBuyAll} onClick={() => onBuy(false)}>
          {pending && <Spinner />}
          <span>{pending ? t.buying : t.buyAll(count, dollars(totalCents))}</span>
        </Button>
      </div>
    </div>
  )
}
