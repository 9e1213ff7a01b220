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
import { changedPrice, showBidError } from './bid-error'
import { DialogActions } from './dialog-actions'
import { bidsTexts } from './texts'
import { usePriceConfirmation } from './use-price-confirmation'

interface AcceptDialogProps {
  entry: EntryLife
  /** The best bid as last fetched; it is refetched after each refused attempt. */
  best: OwnerBid
  onClose: () => void
}

/** Sells an entry to the best bid, after showing the fee and what the seller receives. */
export default function AcceptDialog({ entry, best, onClose }: AcceptDialogProps) {
  const texts = useT()
  const allTexts = bidsTexts.useT().bids
  const { own: t } = allTexts
  const { paysCents } = best
  const rates = useRates()
  const net = afterFee(paysCents, rates.bid)
  const [notice, setNotice] = useState('')
  const { far, confirmation, onError } = usePriceConfirmation(paysCents)
  // Bids change while the dialog is open: announce each new price, so that the button never changes silently.
  const [announcedCents, setAnnouncedCents] = useState(paysCents)
  const announce = (cents: number) =>
    setNotice(cents > announcedCents ? t.better(dollars(cents)) : t.changed(dollars(cents)))
  if (paysCents !== announcedCents) {
    setAnnouncedCents(paysCents)
    announce(paysCents)
  }
  const accepting = useAcceptBid({
    onDone: ({ soldCents, feeCents }) => {
      toast({ title: t.sold, description: t.soldText(dollars(soldCents - feeCents)) })
      onClose()
    },
    onFailed: (error) => {
      if (onError(error)) return
      const nowCents = changedPrice(error)
      if (nowCents !== undefined) announce(nowCents)
      else showBidError(t.sellFailed, error, texts, allTexts)
    },
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.sellTitle} text={entry.item.name} />
        <Facts
          className="rounded-xl border bg-background p-4"
          facts={[
            { label: t.bidPays, value: dollars(paysCents) },
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
        <DialogActions warning={far ? t.below(dollars(far.houseCents)) : notice} onCancel={onClose}>
          <Button
            disabled={accepting.isPending}
            onClick={() =>
              accepting.mutate({
                id: best.id,
                inventoryId: entry.id,
                expectedPriceCents: paysCents,
                ...confirmation,
              })
            }
          >
            {accepting.isPending && <Spinner />}
            <span>{far ? t.anyway(dollars(net)) : t.sell(dollars(net))}</span>
          </Button>
        </DialogActions>
      </DialogContent>
    </Dialog>
  )
}
