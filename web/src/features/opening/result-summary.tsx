import { useOpeningT } from './texts'
import type { Opening } from '@/lib/contract/types'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { RarityBadge } from '@/domain/rarity-badge'

interface ResultSummaryProps {
  opening: Opening
  /** Stands above a haul of several items instead of beside a single one. */
  wide?: boolean
}

export function ResultSummary({ opening, wide = false }: ResultSummaryProps) {
  const t = useOpeningT().opening.results
  const { items, totalValueCents, priceCents } = opening
  const only = items.length === 1 ? items[0] : undefined
  return (
    <div className={cn(wide && 'flex flex-wrap items-end justify-between gap-x-16 gap-y-4')}>
      <div>
        <p className="eyebrow">
          {opening.packName} · {t.count(items.length)}
        </p>
        <h2 className="mt-1 text-4xl font-semibold tracking-tight">{t.heading}</h2>
        {only && (
          <div className="mt-5 space-y-1">
            <RarityBadge rarity={only.rarity} size="lg" />
            <p className="pt-1.5 text-lg leading-snug font-medium text-balance">{only.name}</p>
            <p className="text-sm text-muted-foreground">
              {only.series}
              {only.certNumber && ` · ${t.certificate(only.certType, only.certNumber)}`}
            </p>
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
    { label: t.paid, cents: paidCents, text: 'text-muted-foreground', bar: 'bg-muted-foreground' },
  ]
  return (
    <dl className={cn('space-y-3', className)}>
      {rows.map(({ label, cents, text, bar }) => (
        <div key={label} className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-1">
          <dt className="text-sm text-muted-foreground">{label}</dt>
          <dd className={cn('tabular-nums', text)}>{dollars(cents)}</dd>
          <dd aria-hidden className="col-span-2 h-1 overflow-hidden rounded-full bg-muted">
            <span className={cn('block h-full rounded-full', bar)} style={{ width: `${(cents / longest) * 100}%` }} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
