import { useState } from 'react'
import { useAcceptBid } from '@/api/bids'
import { useRates } from '@/api/rates'
import { afterFee, percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import { useT } from '@/i18n'
import { config } from '@/lib/config'
import type { EntryLife, OwnerBid } from '@/contract/types'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Facts } from '@/components/ui/facts'
import { Spinner } from '@/components/ui/spinner'
import { farPrice, priceNow, tellBidder } from './tell-bidder'
import { bidsTexts } from './texts'

interface AcceptDialogProps {
  entry: EntryLife
  /** The best bid as it is known by now; a refusal has it read afresh. */
  best: OwnerBid
  onClose: () => void
}

/** Sells an entry to the best bid, after saying what it brings. */
export default function AcceptDialog({ entry, best, onClose }: AcceptDialogProps) {
  const texts = useT()
  const all = bidsTexts.useT().bids
  const { own: t } = all
  const [note, setNote] = useState('')
  const [confirmed, setConfirmed] = useState<number>()
  const { paysCents } = best
  const rates = useRates()
  const net = afterFee(paysCents, rates.bid)
  // Bids come and go while the dialog stands: no price changes under the hand without a word.
  const [saidCents, setSaidCents] = useState(paysCents)
  const say = (cents: number) => setNote(cents > saidCents ? t.better(dollars(cents)) : t.changed(dollars(cents)))
  if (paysCents !== saidCents) {
    setSaidCents(paysCents)
    say(paysCents)
  }
  const accepting = useAcceptBid({
    onDone: ({ soldCents, feeCents }) => {
      toast({ title: t.sold, description: t.soldText(dollars(soldCents - feeCents)) })
      onClose()
    },
    onFailed: (error) => {
      const far = farPrice(error)
      const now = priceNow(error)
      if (far) {
        setConfirmed(paysCents)
        setNote(t.below(dollars(far.houseCents)))
      } else if (now !== undefined) {
        say(now)
      } else {
        tellBidder(t.sellFailed, error, texts, all)
      }
    },
  })
  const anyway = confirmed === paysCents
  const price = dollars(paysCents)
  const sell = () =>
    accepting.mutate({
      id: best.id,
      inventoryId: entry.id,
      expectedPriceCents: paysCents,
      ...(anyway && { confirmedCents: paysCents }),
    })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.sellTitle} text={entry.item.name} />
        <Facts
          className="rounded-xl border bg-background p-4"
          facts={[
            { label: t.bidPays, value: price },
            { label: t.fee(percentOf(rates.bid)), value: `−${dollars(paysCents - net)}`, className: 'font-normal' },
            { label: t.net, value: dollars(net), className: 'text-base' },
            ...(entry.sellBackCents === null || !config.rules.sellBack
              ? []
              : [{ label: t.house, value: dollars(entry.sellBackCents) }]),
          ]}
        />
        <p className="mt-3 text-sm text-pretty text-muted-foreground">
          {`${t.sellText} ${entry.state === 'listed' ? t.listedText : ''}`}
        </p>
        <FeeChange of="bid" />
        <p
          role="alert"
          className="mt-3 rounded-xl bg-warning p-3 text-sm text-pretty text-warning-foreground empty:hidden"
        >
          {note}
        </p>
        <div className="mt-5 flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button disabled={accepting.isPending} onClick={sell}>
            {accepting.isPending && <Spinner />}
            <span>{anyway ? t.anyway(dollars(net)) : t.sell(dollars(net))}</span>
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
