import { Link } from '@tanstack/react-router'
import { ChartLine } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useCollectionValue } from '@/api/collection-value'
import type { ValueDay } from '@/contract/types'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { serverNow } from '@/lib/server-clock'
import { Button } from '@/components/ui/button'
import { Chart } from '@/components/ui/chart'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { profitClass, signedDollars } from '@/lib/profit'
import { valueTexts } from './texts'
import { firstDayOf, isMonthly, ownedDays, type Period, periods, tableRows } from './value-days'

/** The collection's value by day against what was paid for it: figures of today, a chart and a table. */
export default function ValueOverTime() {
  const t = valueTexts.useT().value
  const [period, setPeriod] = useState<Period>('month')
  const [now] = useState(serverNow)
  const { firstDay } = useCollectionValue({}).data ?? {}
  const from = firstDayOf(period, now, firstDay)
  const query = useCollectionValue({ ...(from !== undefined && { from }) })
  return (
    <section aria-labelledby="value-over-time" className="panel rounded-2xl p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="max-w-2xl">
          <h2 id="value-over-time" className="text-lg font-semibold">
            {t.title}
          </h2>
          <p className="mt-1 text-sm text-pretty text-muted-foreground">{t.text}</p>
        </div>
        <Select
          aria-label={t.range}
          className="w-36"
          value={period}
          onChange={({ currentTarget: { value } }) => setPeriod(value as Period)}
        >
          {Object.keys(periods).map((name) => (
            <option key={name} value={name}>
              {t.ranges[name as Period]}
            </option>
          ))}
        </Select>
      </div>
      <Loaded query={query} failed={t.failed} skeleton={<Skeleton className="mt-5 h-96 rounded-xl" />}>
        {(data) => {
          const days = ownedDays(data.days, data.firstDay)
          return days.length > 0 ? (
            <Figures days={days} />
          ) : (
            <EmptyState
              icon={<ChartLine />}
              title={t.empty}
              text={t.emptyText}
              level={3}
              action={
                <Button asChild>
                  <Link to="/open-packs">{t.openPacks}</Link>
                </Button>
              }
            />
          )
        }}
      </Loaded>
    </section>
  )
}

function Figures({ days }: { days: readonly ValueDay[] }) {
  const t = valueTexts.useT().value
  // Local midnight, so that the chart shows the day's own date.
  const lines = useMemo(
    () => ({
      value: days.map(({ day, valueCents }) => ({ at: `${day}T00:00:00`, value: valueCents })),
      paid: { name: t.paid, values: days.map(({ paidCents }) => paidCents) },
    }),
    [days, t],
  )
  const { valueCents = 0, paidCents = 0 } = days.at(-1) ?? {}
  const profit = valueCents - paidCents
  return (
    <>
      <dl className="mt-5 flex flex-wrap gap-x-10 gap-y-4">
        <Figure label={t.now} swatch="bg-gold">
          {dollars(valueCents)}
        </Figure>
        <Figure label={t.paid} swatch="bg-muted-foreground">
          {dollars(paidCents)}
        </Figure>
        <Figure label={t.profit} className={profitClass(profit)}>
          {signedDollars(profit)}
        </Figure>
      </dl>
      {days.length > 1 ? (
        <Chart
          label={t.chart}
          points={lines.value}
          compared={lines.paid}
          format={dollars}
          byDay
          className="mt-6 h-72"
        />
      ) : (
        <p className="mt-6 text-sm text-muted-foreground">{t.tooFew}</p>
      )}
      <p className="mt-4 text-sm text-pretty text-muted-foreground">{t.how}</p>
      <details className="mt-4">
        <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium text-gold-text">{t.table}</summary>
        <ValueTable days={days} />
      </details>
    </>
  )
}

interface FigureProps {
  label: string
  /** Color of its line in the chart. */
  swatch?: string
  className?: string
  children: string
}

function Figure({ label, swatch, className, children }: FigureProps) {
  return (
    <div>
      <dt className="flex items-center gap-2 text-sm text-muted-foreground">
        {swatch && <span aria-hidden className={cn('h-0.5 w-4 rounded-full', swatch)} />}
        <span>{label}</span>
      </dt>
      <dd className={cn('mt-0.5 text-2xl font-semibold tracking-tight tabular-nums', className)}>{children}</dd>
    </div>
  )
}

function ValueTable({ days }: { days: readonly ValueDay[] }) {
  const t = valueTexts.useT().value
  const right = { className: 'text-right' }
  return (
    <>
      {isMonthly(days) && <p className="mt-3 text-sm text-muted-foreground">{t.monthly}</p>}
      <ScrollRegion aria-label={t.title} className="mt-3 max-h-96">
        <Table
          caption={t.title}
          rows={tableRows(days)}
          idOf={({ day }) => day}
          roomy
          className="mt-0"
          columns={[
            {
              head: t.day,
              cell: ({ day }) => <time dateTime={day}>{day}</time>,
            },
            { head: t.value, cell: ({ valueCents }) => dollars(valueCents), ...right },
            { head: t.paid, cell: ({ paidCents }) => dollars(paidCents), ...right },
            {
              head: t.profit,
              cell: ({ valueCents, paidCents }) => signedDollars(valueCents - paidCents),
              cellClassName: ({ valueCents, paidCents }) => cn('font-semibold', profitClass(valueCents - paidCents)),
              ...right,
            },
          ]}
        />
      </ScrollRegion>
    </>
  )
}
