import { useState } from 'react'
import { useRates } from '@/api/rates'
import { percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import { ItemCard } from '@/components/item-card'
import type { Quote } from '@/contract/types'
import { dollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import type { Sellable } from './sellable'
import { sellbackTexts } from './texts'

/** A line of the dialog: an item, and what it brings now. */
export interface Line {
  item: Sellable
  quote: Quote
  /** What the visitor saw before, and what is to be compared with it. */
  beforeCents: number
  nowCents: number
}

/** So many lines at first, and so many more with each press. */
const step = 50

/** As high as the window leaves room for: the five of a pack are seen at once. */
const frame = '-mx-1 max-h-[max(11rem,100dvh-26rem)] overflow-y-auto rounded-xl px-1'

/** What is sold, for how much each; where that has changed since the page was loaded, what it was. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  const t = sellbackTexts.useT()
  const [shown, setShown] = useState(step)
  const hidden = lines.length - shown
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div tabIndex={0} role="group" aria-label={t.list} className={frame}>
      <ul className="divide-y divide-line">
        {lines.slice(0, shown).map(({ item, quote, beforeCents, nowCents }) => (
          <li key={item.inventoryId} className="py-2.5">
            <ItemCard
              item={item}
              look="row"
              pictureClassName="h-16"
              valueCents={quote.payoutCents}
              badges={
                nowCents !== beforeCents && (
                  <s className="text-xs text-muted-foreground tabular-nums">
                    <span className="sr-only">{t.before}</span> <span>{dollars(beforeCents)}</span>
                  </s>
                )
              }
            >
              <Buyer quote={quote} />
            </ItemCard>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="ghost" size="sm" className="my-2 w-full" onClick={() => setShown(shown + step)}>
          {t.more(Math.min(step, hidden))}
        </Button>
      )}
      {lines.some(({ quote }) => quote.bestBidCents !== undefined) && <FeeChange of="bid" />}
    </div>
  )
}

/** Who pays most for it, and what the other one would. */
function Buyer({ quote: { best, houseCents, bestBidCents, bestBidNetCents } }: { quote: Quote }) {
  const t = sellbackTexts.useT().buyer
  const rates = useRates()
  const look = 'mt-1 text-xs text-muted-foreground text-pretty'
  if (bestBidCents === undefined || bestBidNetCents === undefined) return <p className={look}>{t.kaibao}</p>
  const bid = [dollars(bestBidCents), dollars(bestBidNetCents), percentOf(rates.bid)] as const
  if (best === 'house') return <p className={look}>{t.kaibaoOverBid(...bid)}</p>
  return (
    <p className={look}>
      <strong className="font-medium text-positive-text">{t.bid}</strong>{' '}
      <span>{t.bidOverKaibao(...bid, dollars(houseCents))}</span>
    </p>
  )
}
