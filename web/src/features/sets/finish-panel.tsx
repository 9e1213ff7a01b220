import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { categoryOfSeries } from '@/components/categories'
import { Points } from '@/components/points'
import type { CardSet, Duplicates, Finish } from '@/contract/types'
import { Button } from '@/components/ui/button'
import { ScrollRegion } from '@/components/ui/scroll-region'
import type { SetMarketSlots } from './market-slots'
import { setsTexts } from './texts'

interface PanelProps {
  title: string
  children: ReactNode
}

function Panel({ title, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-5 sm:p-6">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** What the missing cards cost, and which of them nobody sells. */
export function FinishPanel({ finish, addToCart, bidOn }: Omit<SetMarketSlots, 'trade'> & { finish: Finish }) {
  const t = setsTexts.useT().finish
  const { missingCount, lines, totalCents, moreCount, notForSaleCount, notForSale } = finish
  const cartButtons: ReactNode = lines.length > 0 && addToCart?.(lines)
  const bidButton: ReactNode = notForSaleCount > 0 && bidOn?.(notForSale)
  if (missingCount === 0) {
    return (
      <Panel title={t.title}>
        <p className="mt-1 text-positive-text">{t.complete}</p>
      </Panel>
    )
  }
  return (
    <Panel title={t.title}>
      <p className="mt-1 text-muted-foreground">{t.missing(missingCount)}</p>
      {cartButtons && (
        <div className="mt-4 space-y-3">
          <div>
            <p className="text-sm text-muted-foreground">{t.forSale(lines.length)}</p>
            <p className="text-2xl text-gold-text">
              <Points cents={totalCents} />
            </p>
            {moreCount > 0 && (
              <p className="mt-1 text-sm text-muted-foreground">{t.cheapest(lines.length, moreCount)}</p>
            )}
          </div>
          {cartButtons}
        </div>
      )}
      {bidButton && (
        <div className="mt-5 space-y-3 border-t border-line pt-4 text-sm">
          <p>{t.notForSale(notForSaleCount)}</p>
          <ScrollRegion aria-label={t.notForSale(notForSaleCount)} className="max-h-40">
            <ul className="list-disc space-y-1 pl-5 text-muted-foreground">
              {notForSale.slice(0, namesShown).map(({ id, name }) => (
                <li key={id}>
                  <Link
                    to="/item/$itemId"
                    params={{ itemId: id }}
                    className="rounded-sm underline underline-offset-4 hover:text-gold-text"
                  >
                    {name}
                  </Link>
                </li>
              ))}
              {notForSaleCount > namesShown && <li>{t.more(notForSaleCount - namesShown)}</li>}
            </ul>
          </ScrollRegion>
          {bidButton}
        </div>
      )}
    </Panel>
  )
}

const namesShown = 20

/** What the copies beyond the first of each card would bring. */
export function DuplicatesPanel({ set, duplicates }: { set: CardSet; duplicates: Duplicates }) {
  const t = setsTexts.useT().finish
  const { count, inventoryIds, payoutCents } = duplicates
  const sold = inventoryIds.length
  const series = categoryOfSeries(set.series)
  return (
    <Panel title={t.duplicates}>
      <p className="mt-1 text-muted-foreground">{t.has(count)}</p>
      {sold === 0 ? (
        <p className="mt-4 text-sm text-muted-foreground">{t.cantSell}</p>
      ) : (
        <>
          <p className="mt-4 text-sm text-muted-foreground">{sold === count ? t.payoutAll : t.payout(sold)}</p>
          <p className="text-2xl">
            <Points cents={payoutCents} />
          </p>
          <Button asChild variant="secondary" className="mt-3">
            <Link to="/my-collection" search={{ ...(series && { series }), ...(set.name && { search: set.name }) }}>
              {t.sell}
            </Link>
          </Button>
        </>
      )}
    </Panel>
  )
}
