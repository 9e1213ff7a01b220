import { inLots } from '@/api/lots'
import type { QuotesNow } from '@/api/quotes'
import { useWallet } from '@/api/wallet'
import { useT } from '@/i18n'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/button'
import { Facts } from '@/ui/facts'
import { ConfirmButtons, Notice } from './dialog-parts'
import { type Line, Lines } from './lines'
import { Lock } from './lock'
import { type Sellable, sumOf } from './sellable'
import { sellBackTexts } from './texts'

interface OfferProps {
  items: readonly Sellable[]
  quotes: QuotesNow
  /** Asks for the prices again. */
  ask: () => void
  pending: boolean
  onSell: (lines: { inventoryId: string; payoutCents: number }[]) => void
  onClose: () => void
}

/** What can be sold now and for how much, what of it changed since it was chosen, and the button that sells. */
export function Offer({ items, quotes, ask, pending, onSell, onClose }: OfferProps) {
  const t = sellBackTexts.useT()
  const wallet = useWallet()
  const lines = linesOf(items, quotes)
  const total = lines.reduce((sum, { payoutCents }) => sum + payoutCents, 0)
  const before = sumOf(lines.map(({ item }) => item))
  const calls = inLots(lines).length
  return (
    <>
      <LeftOut refused={quotes.refused} />
      {total < before && <Notice>{t.fell(dollars(before), dollars(total))}</Notice>}
      {total > before && <Notice>{t.rose(dollars(before), dollars(total))}</Notice>}
      {lines.length === 0 ? (
        <div className="flex items-center justify-between gap-3">
          <p className="text-sm text-muted-foreground">{t.none}</p>
          <Button variant="secondary" onClick={onClose}>
            {t.close}
          </Button>
        </div>
      ) : (
        <>
          <Lines lines={lines} />
          <div className="space-y-3 border-t pt-4">
            <Facts
              facts={[
                { label: t.total, value: dollars(total), className: 'text-2xl text-gold-text' },
                ...(wallet.data ? [{ label: t.balanceAfter, value: dollars(wallet.data.balanceCents + total) }] : []),
              ]}
            />
            <Lock quotes={quotes} ask={ask} />
            {calls > 1 && <p className="text-sm text-muted-foreground">{t.calls(calls, terms.mostSoldBack)}</p>}
          </div>
          <ConfirmButtons
            confirm={t.confirm(dollars(total))}
            pending={pending}
            onConfirm={() =>
              onSell(lines.map(({ item, payoutCents }) => ({ inventoryId: item.inventoryId, payoutCents })))
            }
            onCancel={onClose}
          />
        </>
      )}
    </>
  )
}

/** In the order chosen, without what the house does not buy now. */
function linesOf(items: readonly Sellable[], { lines }: QuotesNow): Line[] {
  const payouts = new Map(lines.map(({ inventoryId, payoutCents }) => [inventoryId, payoutCents]))
  return items.flatMap((item) => {
    const payoutCents = payouts.get(item.inventoryId)
    return payoutCents === undefined ? [] : [{ item, payoutCents }]
  })
}

/** One notice for each reason. */
function LeftOut({ refused }: Pick<QuotesNow, 'refused'>) {
  const { why, leftOut } = sellBackTexts.useT()
  const { errors } = useT()
  const reasons: Partial<Record<string, string>> = why
  return [...new Set(refused.map(({ code }) => code))].map((reason) => (
    <Notice key={reason}>
      {leftOut(refused.filter(({ code }) => code === reason).length, reasons[reason] ?? errors[reason])}
    </Notice>
  ))
}
