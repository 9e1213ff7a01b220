import { chunked, type QuotesResult } from '@/api/sellback'
import { useWallet } from '@/api/wallet'
import { useT } from '@/i18n'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { Notice } from '@/components/ui/notice'
import { ConfirmButtons } from './dialog-parts'
import { type Line, Lines } from './lines'
import { Lock } from './lock'
import type { Sellable } from './sellable'
import { sellbackTexts } from './texts'

interface OfferProps {
  items: readonly Sellable[]
  quotes: QuotesResult
  /** For how much each was to be sold that was not. */
  asked: ReadonlyMap<string, number>
  /** Asks for the prices again. */
  ask: () => void
  pending: boolean
  onSell: (lines: { inventoryId: string; payoutCents: number }[]) => void
  onClose: () => void
}

/** What can be sold now and for how much, what of it changed since it was chosen, and the button that sells. */
export function Offer({ items, quotes, asked, ask, pending, onSell, onClose }: OfferProps) {
  const t = sellbackTexts.useT()
  const wallet = useWallet()
  const lines = linesOf(items, quotes, asked)
  const total = sum(lines, ({ quote }) => quote.payoutCents)
  const [before, now] = [sum(lines, ({ beforeCents }) => beforeCents), sum(lines, ({ nowCents }) => nowCents)]
  const house = sum(lines, ({ quote }) => quote.houseCents)
  const calls = chunked(lines).length
  return (
    <>
      <LeftOut refused={quotes.refused} />
      {now < before && <Notice>{t.fell(dollars(before), dollars(now))}</Notice>}
      {now > before && <Notice>{t.rose(dollars(before), dollars(now))}</Notice>}
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
                ...(house < total ? [{ label: t.allToKaibao, value: dollars(house) }] : []),
                ...(wallet.data ? [{ label: t.newBalance, value: dollars(wallet.data.balanceCents + total) }] : []),
              ]}
            />
            <Lock quotes={quotes} ask={ask} />
            {calls > 1 && <p className="text-sm text-muted-foreground">{t.calls(calls, terms.mostSoldBack)}</p>}
          </div>
          <ConfirmButtons
            confirm={t.confirm(dollars(total))}
            pending={pending}
            onConfirm={() =>
              onSell(lines.map(({ quote: { inventoryId, payoutCents } }) => ({ inventoryId, payoutCents })))
            }
            onCancel={onClose}
          />
        </>
      )}
    </>
  )
}

function sum(lines: readonly Line[], of: (line: Line) => number): number {
  return lines.reduce((total, line) => total + of(line), 0)
}

/**
 * In the order chosen, without what cannot be sold now. What was asked for in vain is compared with that; else what
 * the house pays with what the page said of it, as a page knows no bids.
 */
function linesOf(items: readonly Sellable[], { lines }: QuotesResult, asked: OfferProps['asked']): Line[] {
  const quotes = new Map(lines.map((quote) => [quote.inventoryId, quote]))
  return items.flatMap((item) => {
    const quote = quotes.get(item.inventoryId)
    if (!quote) return []
    const askedCents = asked.get(item.inventoryId)
    if (askedCents === undefined) {
      return [{ item, quote, beforeCents: item.sellBackCents, nowCents: quote.houseCents }]
    }
    return [{ item, quote, beforeCents: askedCents, nowCents: quote.payoutCents }]
  })
}

/** One notice for each reason. */
function LeftOut({ refused }: Pick<QuotesResult, 'refused'>) {
  const { why, leftOut } = sellbackTexts.useT()
  const { errors } = useT()
  const reasons: Partial<Record<string, string>> = why
  return [...new Set(refused.map(({ code }) => code))].map((reason) => (
    <Notice key={reason}>
      {leftOut(refused.filter(({ code }) => code === reason).length, reasons[reason] ?? errors[reason])}
    </Notice>
  ))
}
