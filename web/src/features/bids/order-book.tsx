import type { Level, OrderBook } from '@/contract/types'
import { dollars, number } from '@/lib/format'
import { type QueryState, Loaded } from '@/components/ui/loaded'
import { Facts } from '@/components/ui/facts'
import { Skeleton } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'
import { bidsTexts } from './texts'

/** The bids and asks of an item or entry, side by side. */
export function OrderBookTables({ query }: { query: QueryState<OrderBook> }) {
  const t = bidsTexts.useT().bids.book
  return (
    <Loaded
      query={query}
      failed={t.failed}
      inlineErrorClass="mt-4 h-40"
      withCause
      skeleton={<Skeleton className="mt-4 h-40" />}
    >
      {({ asks, bids, floorCents }) => {
        const best = bids[0]?.priceCents
        const maxCount = Math.max(1, ...[...asks, ...bids].map(({ count }) => count))
        return (
          <>
            <Facts
              layout="stacks"
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
              <Side title={t.bids} emptyText={t.noBids} levels={bids} maxCount={maxCount} bar="bg-gold/20" />
              <Side title={t.asks} emptyText={t.noAsks} levels={asks} maxCount={maxCount} bar="bg-muted" />
            </div>
          </>
        )
      }}
    </Loaded>
  )
}

interface SideProps {
  title: string
  emptyText: string
  levels: readonly Level[]
  /** The largest count at one price, on either side: the full width of a bar. */
  maxCount: number
  bar: string
}

/** One side of the book: a row per price, with a bar for its count. */
function Side({ title, emptyText, levels, maxCount, bar }: SideProps) {
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
              {emptyText}
            </td>
          </tr>
        )}
        {levels.map(({ priceCents, count }) => (
          <tr key={priceCents} className="relative border-t">
            <th scope="row" className="py-2 pl-2 text-left font-semibold">
              <span
                aria-hidden
                className={cn('absolute inset-y-px right-0 -z-1 rounded-sm', bar)}
                style={{ width: `${(100 * count) / maxCount}%` }}
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
