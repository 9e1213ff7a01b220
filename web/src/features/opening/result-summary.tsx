import { useOpeningT } from './texts'
import type { Opening } from '@/contract/types'
import { usePackName } from '@/i18n/names'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { ItemText } from '@/components/item-card'
import { Facts } from '@/components/ui/facts'

interface ResultSummaryProps {
  opening: Opening
  /** Laid out above several items instead of beside a single one. */
  wide?: boolean
}

export function ResultSummary({ opening, wide = false }: ResultSummaryProps) {
  const t = useOpeningT().opening.results
  const packName = usePackName()
  const { items, totalValueCents, priceCents } = opening
  const only = items.length === 1 ? items[0] : undefined
  return (
    <div className={cn(wide && 'flex flex-wrap items-end justify-between gap-x-16 gap-y-4')}>
      <div>
        <p className="eyebrow">{`${packName(opening)} · ${t.count(items.length)}`}</p>
        <h2 className="mt-1 text-4xl font-semibold tracking-tight">{t.heading}</h2>
        {only && (
          <div className="mt-5">
            <ItemText item={only} size="large" />
          </div>
        )}
      </div>
      <Comparison totalCents={totalValueCents} paidCents={priceCents} className={wide ? 'w-full max-w-md' : 'mt-7'} />
    </div>
  )
}

interface ComparisonProps {
  totalCents: number
  paidCents: number
  className: string
}

/** Value against price, as numbers and as two bars on one scale. */
function Comparison({ totalCents, paidCents, className }: ComparisonProps) {
  const t = useOpeningT().opening.results
  const longest = Math.max(totalCents, paidCents, 1)
  const rows = [
    { label: t.total, cents: totalCents, text: 'text-2xl font-semibold', bar: 'bg-gold' },
    {
      label: t.paid,
      cents: paidCents,
      text: 'text-base font-normal text-muted-foreground',
      bar: 'bg-muted-foreground',
    },
  ]
  return (
    <Facts
      className={cn('space-y-3', className)}
      facts={rows.map(({ label, cents, text, bar }) => ({
        label,
        value: dollars(cents),
        className: text,
        below: (
          <span className="block h-1 overflow-hidden rounded-full bg-muted">
            <span className={cn('block h-full rounded-full', bar)} style={{ width: `${(cents / longest) * 100}%` }} />
          </span>
        ),
      }))}
    />
  )
}
