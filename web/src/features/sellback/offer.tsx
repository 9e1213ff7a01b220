import { chunked, type QuotesResult } from '@/api/sellback'
import { useWallet } from '@/api/wallet'
import { useT } from '@/i18n'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { Points } from '@/components/points'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { Notice } from '@/components/ui/notice'
import { ConfirmButtons } from './confirm-buttons'
import { type Line, Lines } from './offer-lines'
import { PriceGuarantee } from './price-guarantee'
import type { Sellable } from './sellable'
import { sellbackTexts } from './texts'

interface OfferProps {
  items: readonly Sellable[]
  quotes: QuotesResult
  /** The prices of the last attempt, for items that didn't sell. */
  expectedCents: ReadonlyMap<string, number>
  /** Refetches the quotes. */
  refetch: () => void
  pending: boolean
  onSell: (lines: { inventoryId: string; payoutCents: number }[]) => void
  onClose: () => void
}

/** The quotes, price changes since the selection, and the confirm button. */
export function Offer({ items, quotes, expectedCents, refetch, pending, onSell, onClose }: OfferProps) {
  const t = sellbackTexts.useT()
  const wallet = useWallet()
  const lines = linesOf(items, quotes, expectedCents)
  const total = sum(lines, ({ quote }) => quote.payoutCents)
  const [before, now] = [sum(lines, ({ beforeCents }) => beforeCents), sum(lines, ({ nowCents }) => nowCents)]
  const house = sum(lines, ({ quote }) => quote.houseCents)
  const calls = chunked(lines).length
  return (
    <>
      <Excluded refused={quotes.refused} />
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
                { label: t.total, value: <Points cents={total} />, className: 'text-2xl text-gold-text' },
                ...(house < total ? [{ label: t.allToKaibao, value: <Points cents={house} /> }] : []),
                ...(wallet.data
                  ? [{ label: t.newBalance, value: <Points cents={wallet.data.balanceCents + total} /> }]
                  : []),
              ]}
            />
            <PriceGuarantee quotes={quotes} refetch={refetch} />
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
 * Quoted items in the order of selection. After a failed attempt, its prices are compared with the new ones; otherwise
 * Kaibao's offer with the one the page showed, because pages don't know bids.
 */
function linesOf(
  items: readonly Sellable[],
  { lines }: QuotesResult,
  expectedCents: OfferProps['expectedCents'],
): Line[] {
  const quotes = new Map(lines.map((quote) => [quote.inventoryId, quote]))
  return items.flatMap((item) => {
    const quote = quotes.get(item.inventoryId)
    if (!quote) return []
    const askedCents = expectedCents.get(item.inventoryId)
    if (askedCents === undefined) {
      return [{ item, quote, beforeCents: item.sellBackCents, nowCents: quote.houseCents }]
    }
    return [{ item, quote, beforeCents: askedCents, nowCents: quote.payoutCents }]
  })
}

function Excluded({ refused }: Pick<QuotesResult, 'refused'>) {
  const { why, leftOut } = sellbackTexts.useT()
  const { errors } = useT()
  const reasons: Partial<Record<string, string>> = why
  return [...new Set(refused.map(({ code }) => code))].map((reason) => (
    <Notice key={reason}>
      {leftOut(refused.filter(({ code }) => code === reason).length, reasons[reason] ?? errors[reason])}
    </Notice>
  ))
}
