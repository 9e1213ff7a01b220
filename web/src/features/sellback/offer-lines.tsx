import { useState } from 'react'
import { useRates } from '@/api/rates'
import { percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import { ItemCard } from '@/components/item-card'
import type { Quote } from '@/contract/types'
import { dollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { ScrollRegion } from '@/components/ui/scroll-region'
import type { Sellable } from './sellable'
import { sellbackTexts } from './texts'

export interface Line {
  item: Sellable
  quote: Quote
  /** The price the user saw before, and the current price to compare with it. */
  beforeCents: number
  nowCents: number
}

/** Lines shown at first, and added by each press of the button. */
const step = 50

/** Uses the window's height, so that a pack's five cards fit without scrolling. */
const height = 'max-h-[max(11rem,100dvh-26rem)]'

/** The items to sell with their prices; prices that have changed show the old one too. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  const t = sellbackTexts.useT()
  const [shown, setShown] = useState(step)
  const hidden = lines.length - shown
  return (
    <ScrollRegion aria-label={t.list} className={height}>
      <ul className="divide-y divide-line">
        {lines.slice(0, shown).map(({ item, quote, beforeCents, nowCents }) => (
          <li key={item.inventoryId} className="py-2.5">
            <ItemCard
              item={item}
              layout="row"
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
              <BestOffer quote={quote} />
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
    </ScrollRegion>
  )
}

/** The best offer, compared with the other buyer's. */
function BestOffer({ quote: { best, houseCents, bestBidCents, bestBidNetCents } }: { quote: Quote }) {
  const t = sellbackTexts.useT().buyer
  const rates = useRates()
  const classes = 'mt-1 text-xs text-muted-foreground text-pretty'
  if (bestBidCents === undefined || bestBidNetCents === undefined) return <p className={classes}>{t.kaibao}</p>
  const bid = [dollars(bestBidCents), dollars(bestBidNetCents), percentOf(rates.bid)] as const
  if (best === 'house') return <p className={classes}>{t.kaibaoOverBid(...bid)}</p>
  return (
    <p className={classes}>
      <strong className="font-medium text-positive-text">{t.bid}</strong>{' '}
      <span>{t.bidOverKaibao(...bid, dollars(houseCents))}</span>
    </p>
  )
}
