import { useState } from 'react'
import { useQuotes, type QuickSellResult } from '@/api/sellback'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Notice } from '@/components/ui/notice'
import { ConfirmButtons } from './confirm-buttons'
import { Offer } from './offer'
import type { Sellable } from './sellable'
import { sellbackTexts } from './texts'
import { useSale } from './use-sale'

interface QuickSellDialogProps {
  items: readonly Sellable[]
  /** Called with the sold items, which may be only some of them. */
  onSold: (sold: QuickSellResult['sold']) => void
  onClose: () => void
}

/** Shows the best offer for each entry and sells them for no less than that. */
export default function QuickSellDialog({ items, onSold, onClose }: QuickSellDialogProps) {
  const t = sellbackTexts.useT()
  const [opener] = useState(() => document.activeElement)
  const [place] = useState(() => opener?.closest('[tabindex="-1"]'))
  const sale = useSale(onSold, onClose)
  const remaining = items.filter(({ inventoryId }) => !sale.sold.has(inventoryId))
  const quotes = useQuotes(remaining.map(({ inventoryId }) => inventoryId))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        className="max-w-xl"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // The button that opened the dialog is gone after a sale: focus its container instead.
          const next = !sale.done.current && opener?.isConnected ? opener : place
          if (next instanceof HTMLElement) next.focus({ preventScroll: true })
        }}
      >
        <DialogHeader title={t.title(remaining.length)} text={t.text(remaining.length)} />
        {sale.notices.map((text) => (
          <Notice key={text}>{text}</Notice>
        ))}
        {sale.retry ? (
          <ConfirmButtons confirm={t.tryAgain} pending={sale.pending} onConfirm={sale.retry} onCancel={onClose} />
        ) : (
          <Loaded query={quotes} failed={t.failed} skeleton={<Skeleton className="h-72 rounded-xl" />}>
            {(now) => (
              <Offer
                items={remaining}
                quotes={now}
                expectedCents={sale.expectedCents}
                refetch={() => void quotes.refetch()}
                pending={sale.pending}
                onSell={sale.sell}
                onClose={onClose}
              />
            )}
          </Loaded>
        )}
      </DialogContent>
    </Dialog>
  )
}
