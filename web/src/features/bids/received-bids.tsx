import { lazy, startTransition, Suspense, useState } from 'react'
import { useBidsOnOwn } from '@/api/bids'
import { useRates } from '@/api/rates'
import { afterFee, percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import { useLanguage } from '@/i18n'
import type { EntryLife, OwnerBid } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { clearIfCurrent } from '@/components/ui/dialog'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { bidsTexts } from './texts'

const AcceptDialog = lazy(() => import('./accept-dialog'))
const CounterDialog = lazy(() => import('./counter-dialog'))
const LowestBidForm = lazy(() => import('./lowest-bid-form'))

type EntryProps = { entry: EntryLife }

interface ReceivedBidsProps extends EntryProps {
  /** Opens quick sell for the entry; undefined if it can't be sold to Kaibao now. */
  onQuickSell: (() => void) | undefined
}

/** Other users' bids on an entry of the user, to accept or counter. */
export function ReceivedBids({ entry, onQuickSell }: ReceivedBidsProps) {
  const t = bidsTexts.useT().bids.own
  const query = useBidsOnOwn(entry.id)
  return (
    <Loaded
      query={query}
      failed={t.failed}
      inlineErrorClass="mt-4"
      withCause
      skeleton={<Skeleton className="mt-4 h-40" />}
    >
      {({ bids, lowestBidCents }) => (
        <>
          {bids[0] ? (
            <BestBid entry={entry} best={bids[0]} onQuickSell={onQuickSell} />
          ) : (
            <p className="mt-3 text-sm text-muted-foreground">{t.none}</p>
          )}
          {bids.length > 0 && <BidTable entry={entry} bids={bids} />}
          <Suspense fallback={<Skeleton className="mt-5 h-24" />}>
            <LowestBidForm key={lowestBidCents} inventoryId={entry.id} lowestBidCents={lowestBidCents} />
          </Suspense>
        </>
      )}
    </Loaded>
  )
}

function BestBid({ entry, best, onQuickSell }: ReceivedBidsProps & { best: OwnerBid }) {
  const t = bidsTexts.useT().bids.own
  const { walletMismatch } = useSession()
  const [open, setOpen] = useState(false)
  const { bid } = useRates()
  const net = dollars(afterFee(best.paysCents, bid))
  return (
    <div className="mt-4 flex flex-wrap items-end justify-between gap-4">
      <div>
        <p className="text-xs text-muted-foreground">{t.best}</p>
        <p className="text-2xl font-semibold text-gold-text tabular-nums">{dollars(best.paysCents)}</p>
        <p className="text-sm text-muted-foreground">{t.receive(net, percentOf(bid))}</p>
        <FeeChange of="bid" />
      </div>
      {(entry.state === 'held' || entry.state === 'listed') && (
        <Button disabled={walletMismatch} onClick={() => startTransition(() => setOpen(true))}>
          {t.sell(net)}
        </Button>
      )}
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <AcceptDialog entry={entry} best={best} onQuickSell={onQuickSell} onClose={() => setOpen(false)} />}
      </DialogSlot>
    </div>
  )
}

function BidTable({ entry, bids }: EntryProps & { bids: readonly OwnerBid[] }) {
  const t = bidsTexts.useT().bids.own
  const language = useLanguage()
  const { walletMismatch } = useSession()
  const [countering, setCountering] = useState<OwnerBid>()
  return (
    <>
      <Table
        caption={t.list}
        rows={bids}
        idOf={({ id }) => id}
        roomy
        columns={[
          { head: t.pays, cell: ({ paysCents }) => dollars(paysCents), cellClassName: 'font-semibold' },
          {
            head: t.of,
            cell: ({ forThis }) => (forThis ? t.thisOne : t.likeIt),
            cellClassName: 'text-muted-foreground',
          },
          {
            head: t.until,
            cell: ({ expiresAt }) => <time dateTime={expiresAt}>{dateTime(expiresAt, language)}</time>,
            cellClassName: 'text-muted-foreground',
          },
          {
            head: t.answer,
            cell: (bid) => (
              <div className="flex flex-wrap items-center justify-end gap-2">
                {bid.counter && (
                  <span>{t.answered(dollars(bid.counter.priceCents), dateTime(bid.counter.until, language))}</span>
                )}
                {bid.forThis && (
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label={t.counterTo(dollars(bid.paysCents))}
                    disabled={walletMismatch}
                    onClick={() => startTransition(() => setCountering(bid))}
                  >
                    {t.counter}
                  </Button>
                )}
              </div>
            ),
            className: 'text-right',
          },
        ]}
      />
      <DialogSlot open={countering !== undefined} onClose={() => setCountering(undefined)}>
        {countering && (
          <CounterDialog entry={entry} bid={countering} onClose={() => setCountering(clearIfCurrent(countering))} />
        )}
      </DialogSlot>
    </>
  )
}
