import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { salesQuery } from '@/api/activity'
import { useLanguage } from '@/i18n'
import { itemTexts } from './texts'
import type { ItemSale, ItemSales, SalesSpan } from '@/contract/types'
import { dateTime, dollars, number } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { Chart } from '@/components/ui/chart'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { EmptyText, Section } from './section'

/** Rows next to the chart; the activity page has the rest. */
const maxRows = 8

/** An item's sales between collectors: figures, chart and table. */
export function Sales({ id }: { id: string }) {
  const t = itemTexts.useT().sales
  const sales = useQuery(salesQuery(id))
  const [days, setDays] = useState(30)
  return (
    <Section
      title={t.title}
      text={t.text}
      more={
        <Select
          aria-label={t.within}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
          className="w-40"
        >
          {(sales.data?.spans ?? [{ days }]).map((span) => (
            <option key={span.days} value={span.days}>
              {span.days === 0 ? t.ever : t.days(number(span.days))}
            </option>
          ))}
        </Select>
      }
    >
      <Loaded
        query={sales}
        failed={t.failed}
        inlineErrorClass="mt-4 h-80"
        withCause
        skeleton={<Skeleton className="mt-4 h-80" />}
      >
        {(all) => <SalesInSpan sales={all} span={all.spans.find((span) => span.days === days)!} item={id} />}
      </Loaded>
    </Section>
  )
}

function SalesInSpan({ sales: { sales }, span, item }: { sales: ItemSales; span: SalesSpan; item: string }) {
  const t = itemTexts.useT().sales
  const [now] = useState(() => new Date())
  const shown = useMemo(() => {
    const since = span.days === 0 ? 0 : now.getTime() - span.days * 24 * 60 * 60 * 1000
    return sales.filter(({ at }) => Date.parse(at) >= since)
  }, [sales, span.days, now])
  const points = useMemo(() => {
    const known = shown
      .filter(({ counted }) => counted)
      .map(({ at, priceCents }) => ({ at, value: priceCents }))
      .reverse()
    const last = known.at(-1)
    return last ? [...known, { at: now.toISOString(), value: last.value }] : []
  }, [shown, now])
  if (shown.length === 0) return <EmptyText text={sales.length === 0 ? t.none : t.noneInRange} />
  return (
    <>
      <SalesFigures span={span} />
      <div className="mt-4 grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        {points.length > 0 ? (
          <Chart label={t.chart} points={points} format={dollars} />
        ) : (
          <EmptyText text={t.noneCounts} />
        )}
        <div>
          <SalesTable sales={shown.slice(0, maxRows)} />
          <Link
            to="/activity"
            search={{ item }}
            className="mt-3 inline-block rounded-sm text-sm text-gold-text underline underline-offset-4"
          >
            {t.more}
          </Link>
        </div>
      </div>
    </>
  )
}

function SalesFigures({ span: { count, medianCents, lowCents, highCents } }: { span: SalesSpan }) {
  const t = itemTexts.useT().sales
  const or = (text: string) => (count === 0 ? '–' : text)
  return (
    <Facts
      layout="cells"
      className="mt-4"
      facts={[
        { label: t.median, value: or(dollars(medianCents)), className: 'text-lg' },
        { label: t.count, value: number(count), className: 'text-lg' },
        {
          label: t.range,
          value: or(lowCents === highCents ? dollars(lowCents) : `${dollars(lowCents)} – ${dollars(highCents)}`),
          className: 'text-lg',
        },
      ]}
    />
  )
}

function SalesTable({ sales }: { sales: readonly ItemSale[] }) {
  const t = itemTexts.useT().sales
  const language = useLanguage()
  return (
    <Table
      caption={t.title}
      rows={sales}
      idOf={({ at, priceCents, kind }) => `${at} ${priceCents} ${kind}`}
      roomy
      className="mt-0"
      columns={[
        {
          head: t.when,
          cell: ({ at }) => <time dateTime={at}>{dateTime(at, language)}</time>,
          cellClassName: 'font-normal tabular-nums',
        },
        {
          head: null,
          cell: ({ counted }) => !counted && <Badge title={t.notCountedWhy}>{t.notCounted}</Badge>,
        },
        {
          head: t.price,
          cell: ({ priceCents }) => dollars(priceCents),
          className: 'text-right',
          cellClassName: ({ counted }) => (counted ? 'font-semibold' : 'text-muted-foreground'),
        },
      ]}
    />
  )
}
