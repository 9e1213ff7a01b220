import { useState } from 'react'
import * as z from 'zod/mini'
import { useAcceptBid } from '@/api/bids'
import { useRates } from '@/api/rates'
import { afterFee, percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import { config } from '@/lib/config'
import type { EntryLife, OwnerBid } from '@/contract/types'
import { dollars, points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Points } from '@/components/points'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { useForm } from '@/components/ui/form/use-form'
import { BidDialogFrame } from './bid-dialog-frame'
import { bidsTexts } from './texts'
import { changedPrice, useBidError } from './use-bid-error'
import { usePriceConfirmation } from './use-price-confirmation'

const noFields = z.object({})

interface AcceptDialogProps {
  entry: EntryLife
  /** The best bid as last fetched; it is refetched after each refused attempt. */
  best: OwnerBid
  /** Opens quick sell for the entry; undefined if it can't be sold to Kaibao now. */
  onQuickSell: (() => void) | undefined
  onClose: () => void
}

/**
 * Sells an entry to the best bid, after showing the fee and what the seller receives. If Kaibao pays more, that sale is
 * the main choice.
 */
export default function AcceptDialog({ entry, best, onQuickSell, onClose }: AcceptDialogProps) {
  const t = bidsTexts.useT().bids.own
  const showError = useBidError()
  const form = useForm({ schema: noFields, defaultValues: {}, fieldErrorText: String })
  const { paysCents } = best
  const rates = useRates()
  const net = afterFee(paysCents, rates.bid)
  const [notice, setNotice] = useState('')
  const { far, confirmation, onError } = usePriceConfirmation(paysCents)
  const { walletMismatch } = useSession()
  const houseCents = far?.houseCents ?? entry.sellBackCents ?? 0
  const quickSell = onQuickSell && houseCents > net ? onQuickSell : undefined
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
      toast({ title: t.sold, description: t.soldText(points(soldCents - feeCents)) })
      onClose()
    },
    onFailed: (error) => {
      if (onError(error)) return
      const nowCents = changedPrice(error)
      if (nowCents !== undefined) announce(nowCents)
      else showError(t.sellFailed, error)
    },
  })
  return (
    <BidDialogFrame
      title={t.sellTitle}
      text={entry.item.name}
      form={form}
      pending={accepting.isPending}
      onSubmit={() =>
        accepting.mutate({
          id: best.id,
          inventoryId: entry.id,
          expectedPriceCents: paysCents,
          // The dialog has already said that Kaibao pays more.
          ...(quickSell ? { confirmedCents: paysCents } : confirmation),
        })
      }
      onClose={onClose}
      warnings={[notice, (quickSell || far) && t.below(dollars(houseCents))]}
      submit={quickSell || far ? t.anyway(dollars(net)) : t.sell(dollars(net))}
      better={
        quickSell && (
          <Button
            disabled={walletMismatch || accepting.isPending}
            onClick={() => {
              onClose()
              quickSell()
            }}
          >
            {t.quickSell(dollars(houseCents))}
          </Button>
        )
      }
    >
      <Facts
        className="rounded-xl border bg-background p-4"
        facts={[
          { label: t.bidPays, value: dollars(paysCents) },
          { label: t.fee(percentOf(rates.bid)), value: `−${dollars(paysCents - net)}`, className: 'font-normal' },
          { label: t.net, value: <Points cents={net} />, className: 'text-base' },
          ...(entry.sellBackCents === null || !config.rules.sellBack
            ? []
            : [{ label: t.house, value: dollars(entry.sellBackCents) }]),
        ]}
      />
      <p className="mt-3 text-sm text-pretty text-muted-foreground">{t.sellText}</p>
      {entry.state === 'listed' && <p className="text-sm text-pretty text-muted-foreground">{t.listedText}</p>}
      <FeeChange of="bid" />
    </BidDialogFrame>
  )
}
