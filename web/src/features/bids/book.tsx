import type { Level, OrderBook } from '@/contract/types'
import { dollars, number } from '@/lib/format'
import { type Asked, Loaded } from '@/components/ui/loaded'
import { Facts } from '@/components/ui/facts'
import { Skeleton } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'
import { bidsTexts } from './texts'

/** What is asked and bid, side by side. */
export function Book({ query }: { query: Asked<OrderBook> }) {
  const t = bidsTexts.useT().bids.book
  return (
    <Loaded query={query} failed={t.failed} line="mt-4 h-40" skeleton={<Skeleton className="mt-4 h-40" />}>
      {({ asks, bids, floorCents }) => {
        const best = bids[0]?.priceCents
        const most = Math.max(1, ...[...asks, ...bids].map(({ count }) => count))
        return (
          <>
            <Facts
              look="stacks"
              className="mt-4 flex flex-wrap gap-x-10 gap-y-3"
              facts={[
                {
                  label: t.best,
                  value: best === undefined ? t.none : dollars(best),
                  className: 'text-xl text-gold-text',
                },
                {
                  label: t.floor,
                  value: floorCents === undefined ? t.none : dollars(floorCents),
                  className: 'text-xl',
                },
                {
                  label: t.spread,
                  value: best === undefined || floorCents === undefined ? t.none : dollars(floorCents - best),
                  className: 'text-xl font-normal',
                },
              ]}
            />
            <div className="mt-4 grid gap-6 sm:grid-cols-2">
              <Side title={t.bids} none={t.noBids} levels={bids} most={most} bar="bg-gold/20" />
              <Side title={t.asks} none={t.noAsks} levels={asks} most={most} bar="bg-muted" />
            </div>
          </>
        )
      }}
    </Loaded>
  )
}

interface SideProps {
  title: string
  none: string
  levels: readonly Level[]
  /** The most that stand at one price, on either side. */
  most: number
  bar: string
}

/** Each price with how many stand there, drawn under the figures. */
function Side({ title, none, levels, most, bar }: SideProps) {
  const t = bidsTexts.useT().bids.book
  return (
    <table className="isolate w-full self-start text-sm tabular-nums">
      <caption className="pb-2 text-left font-medium">{title}</caption>
      <thead className="text-xs text-muted-foreground">
        <tr>
          <th scope="col" className="py-1 text-left font-normal">
            {t.price}
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            {t.count}
          </th>
        </tr>
      </thead>
      <tbody>
        {levels.length === 0 && (
          <tr className="border-t">
            <td colSpan={2} className="py-2 text-muted-foreground">
              {none}
            </td>
          </tr>
        )}
        {levels.map(({ priceCents, count }) => (
          <tr key={priceCents} className="relative border-t">
            <th scope="row" className="py-2 pl-2 text-left font-semibold">
              <span
                aria-hidden
                className={cn('absolute inset-y-px right-0 -z-1 rounded-sm', bar)}
                style={{ width: `${(100 * count) / most}%` }}
              />
              <span>{dollars(priceCents)}</span>
            </th>
            <td className="py-2 pr-2 text-right">{number(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
