import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLastSales } from '@/api/activity'
import type { Trade } from '@/contract/types'
import { dollars } from '@/lib/format'
import { useLive } from '@/lib/live-setting'
import { useHoverOrFocus } from '@/lib/use-hover-or-focus'
import { useRotation } from '@/lib/use-rotation'
import { Art } from '@/components/ui/art'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { activityTexts } from './texts'

const slots = 4

/** The latest sales between users. Renders nothing without sales or on errors. */
export function LastSales() {
  return (
    <Loaded
      query={useLastSales()}
      failed={null}
      empty={null}
      skeleton={
        <SalesSection>
          {Array.from({ length: slots }, (_, place) => (
            <Skeleton key={place} className="h-24 rounded-2xl" />
          ))}
        </SalesSection>
      }
    >
      {(sales) => (
        <SalesSection>
          <Sales sales={sales} />
        </SalesSection>
      )}
    </Loaded>
  )
}

function SalesSection({ children }: { children: ReactNode }) {
  const t = activityTexts.useT()
  return (
    <section aria-labelledby="last-sales">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="last-sales" className="text-xl font-semibold tracking-tight">
          {t.lastSales}
        </h2>
        <Link
          to="/activity"
          className="inline-flex items-center gap-1.5 text-sm font-medium text-gold-text hover:underline"
        >
          <span>{t.allSales}</span>
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </div>
      <p className="mt-1 text-muted-foreground">{t.lastSalesText}</p>
      <div className="mt-5 grid grid-cols-2 gap-4 xl:grid-cols-4">{children}</div>
    </section>
  )
}

function Sales({ sales }: { sales: readonly Trade[] }) {
  const t = activityTexts.useT()
  const { isHoveredOrFocused, handlers } = useHoverOrFocus()
  const shown = useRotation(sales, slots, !useLive() || isHoveredOrFocused)
  return (
    <ul aria-labelledby="last-sales" className="contents" {...handlers}>
      {shown.map((sale, place) => (
        <li key={place} className="panel flex h-24 items-center rounded-2xl px-4">
          <div
            key={sale.id}
            className="flex min-w-0 flex-1 animate-in items-center gap-4 fade-in duration-700 motion-reduce:animate-none"
          >
            <Art src={sale.imageUrl} alt="" loading="lazy" className="h-16 w-10 shrink-0 object-contain" />
            <div className="min-w-0 flex-1">
              <p className="line-clamp-2 text-sm leading-5 font-medium">
                <Link
                  to="/item/$itemId"
                  params={{ itemId: sale.itemId }}
                  title={sale.itemName}
                  className="rounded-sm hover:text-gold-text"
                >
                  {sale.itemName}
                </Link>
              </p>
              <p className="mt-1 flex items-baseline justify-between gap-2 text-xs text-muted-foreground">
                <span className="truncate">{t.kinds[sale.kind]}</span>
                <span className="text-sm font-semibold text-foreground tabular-nums">{dollars(sale.priceCents)}</span>
              </p>
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
