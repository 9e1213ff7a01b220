import { useOpeningT } from './texts'
import { usePackName } from '@/i18n/names'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { ItemText } from '@/components/item-card'
import { Facts } from '@/components/ui/facts'
import type { Haul } from './haul'

/** Pack, number of cards and the heading. */
export function ResultHeading({ haul: { openings, items } }: { haul: Haul }) {
  const t = useOpeningT().opening.results
  const packName = usePackName()
  const [first] = openings
  const packs = openings.length > 1 ? [`×${openings.length}`] : []
  return (
    <div>
      {first && <p className="eyebrow">{[packName(first), ...packs, t.count(items.length)].join(' · ')}</p>}
      {first && <h2 className="mt-1 text-4xl font-semibold tracking-tight">{t.heading}</h2>}
    </div>
  )
}

/** Beside a single item. */
export function ResultSummary({ haul }: { haul: Haul }) {
  const [only] = haul.items
  return (
    <div>
      <ResultHeading haul={haul} />
      {only && (
        <div className="mt-5">
          <ItemText item={only} size="large" />
        </div>
      )}
      <Comparison totalCents={haul.totalValueCents} paidCents={haul.priceCents} className="mt-6" />
    </div>
  )
}

interface ComparisonProps {
  totalCents: number
  paidCents: number
  className: string
}

/** Value against price, as numbers and as two bars on one scale. */
export function Comparison({ totalCents, paidCents, className }: ComparisonProps) {
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
