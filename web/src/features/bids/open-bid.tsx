import { lazy, startTransition, useState } from 'react'
import { useAcceptCounter, useChangeBid, useWithdrawBid } from '@/api/bids'
import { useLanguage } from '@/i18n'
import { config } from '@/lib/config'
import type { Bid } from '@/contract/types'
import { dateTime, dollars, points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Badge } from '@/components/ui/badge'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { Button } from '@/components/ui/button'
import { Points } from '@/components/points'
import { Facts } from '@/components/ui/facts'
import { Spinner } from '@/components/ui/spinner'
import { priceText } from './price-text'
import { outbidPrice } from './bid-math'
import { targetOf } from './bid-target'
import { bidsTexts } from './texts'
import { useBidError } from './use-bid-error'
import { useBidName, BidTargetCard } from './bid-target-card'

const BidDialog = lazy(() => import('./bid-dialog'))

interface OpenBidProps {
  bid: Bid
  /** Leaves out the target, on a page that already shows it. */
  withoutTarget?: boolean
}

/** One of the user's open bids, with its actions. */
export function OpenBid({ bid, withoutTarget = false }: OpenBidProps) {
  const t = bidsTexts.useT().bids
  const language = useLanguage()
  const { order } = t
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        {!withoutTarget && (
          <div className="min-w-64 flex-1">
            <BidTargetCard bid={bid} />
          </div>
        )}
        <Facts
          layout="stacks"
          className={`flex flex-wrap gap-x-8 gap-y-3 text-sm ${withoutTarget ? '' : 'xl:grid xl:grid-cols-[15.5rem_4.5rem_6rem_10rem] xl:gap-x-6'}`}
          facts={[
            { label: order.price, value: priceText(bid, t) },
            { label: order.left, value: order.leftOf(bid.left, bid.quantity) },
            { label: order.held, value: <Points cents={bid.heldCents} /> },
            {
              label: order.until,
              value: <time dateTime={bid.expiresAt}>{dateTime(bid.expiresAt, language)}</time>,
              className: 'font-normal',
            },
          ]}
        />
      </div>
      {config.rules.market && bid.counter && <CounterOffer bid={bid} counter={bid.counter} />}
      <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
        {config.rules.market && (
          <>
            <OutbidNotice bid={bid} />
            <ChangeButton bid={bid} />
          </>
        )}
        <WithdrawButton bid={bid} />
      </div>
    </div>
  )
}

/** Says that the bid is outbid, with a button to raise it. */
function OutbidNotice({ bid }: { bid: Bid }) {
  const showError = useBidError()
  const t = bidsTexts.useT().bids
  const { walletMismatch } = useSession()
  const raising = useChangeBid({
    onDone: () => toast({ title: t.order.raised }),
    onFailed: (error) => showError(t.form.notSaved, error),
  })
  const { id, outbidCents, left, expiresAt, item } = bid
  if (outbidCents === undefined) return null
  const price = outbidPrice(bid)
  return (
    <>
      <Badge variant="outline" className="mr-auto border-destructive text-destructive-text">
        {item ? t.order.outbid(dollars(outbidCents)) : t.order.outbidTop}
      </Badge>
      {price && (
        <Button
          size="sm"
          disabled={walletMismatch || raising.isPending}
          onClick={() =>
            raising.mutate({ id, ...price, quantity: left, expiresAt } as Parameters<typeof raising.mutate>[0])
          }
        >
          {raising.isPending && <Spinner />}
          <span>
            {price.pegPercent === undefined
              ? t.order.raise(dollars(price.priceCents ?? 0))
              : t.order.raisePeg(price.pegPercent, dollars(price.capCents ?? 0))}
          </span>
        </Button>
      )}
    </>
  )
}

function ChangeButton({ bid }: { bid: Bid }) {
  const t = bidsTexts.useT().bids.order
  const name = useBidName(bid)
  const { walletMismatch } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t.changeOf(name)}
        disabled={walletMismatch}
        onClick={() => startTransition(() => setOpen(true))}
      >
        {t.change}
      </Button>
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <BidDialog target={targetOf(bid)} bid={bid} onClose={() => setOpen(false)} />}
      </DialogSlot>
    </>
  )
}

function WithdrawButton({ bid }: { bid: Bid }) {
  const showError = useBidError()
  const t = bidsTexts.useT().bids
  const name = useBidName(bid)
  const { walletMismatch } = useSession()
  const withdrawing = useWithdrawBid({
    onDone: () => toast({ title: t.order.withdrawn, description: t.order.withdrawnText(points(bid.heldCents)) }),
    onFailed: (error) => showError(t.order.withdrawFailed, error),
  })
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={t.order.withdrawOf(name)}
      disabled={walletMismatch || withdrawing.isPending}
      onClick={() => withdrawing.mutate({ id: bid.id })}
    >
      {withdrawing.isPending && <Spinner />}
      <span>{t.order.withdraw}</span>
    </Button>
  )
}

/** The owner's counter-offer, with a button to accept it. */
function CounterOffer({ bid, counter }: { bid: Bid; counter: NonNullable<Bid['counter']> }) {
  const showError = useBidError()
  const t = bidsTexts.useT().bids
  const language = useLanguage()
  const name = useBidName(bid)
  const { walletMismatch } = useSession()
  const accepting = useAcceptCounter({
    onDone: () => toast({ title: t.order.accepted, description: t.order.acceptedText }),
    onFailed: (error) => showError(t.order.acceptFailed, error),
  })
  const price = dollars(counter.priceCents)
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-gold bg-background p-3 text-sm">
      <p>{t.order.counter(price, dateTime(counter.until, language))}</p>
      <Button
        size="sm"
        aria-label={t.order.acceptOf(price, name)}
        disabled={walletMismatch || accepting.isPending}
        onClick={() => accepting.mutate({ id: bid.id, expectedPriceCents: counter.priceCents })}
      >
        {accepting.isPending && <Spinner />}
        <span>{t.order.accept(price)}</span>
      </Button>
    </div>
  )
}
