import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn } from 'lucide-react'
import { dailyFiguresCsvUrl, dailyFiguresQuery } from '@/api/admin-figures'
import { CsvLink } from './csv-link'
import { CsvExports } from './csv-exports'
import { adminTexts } from './texts'
import { TopPulls } from './top-pulls'
import { TradePairs } from './trade-pairs'
import type { ClosedDay } from '@/contract/types'
import { dollars, number } from '@/lib/format'
import { Chart } from '@/components/ui/chart'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'

const dailyFigures = {
  revenue: { valueOf: (day: ClosedDay) => day.revenueCents, format: dollars },
  sellBack: { valueOf: (day: ClosedDay) => day.sellBackCents, format: dollars },
  fees: { valueOf: (day: ClosedDay) => day.feesCents, format: dollars },
  opens: { valueOf: (day: ClosedDay) => day.opens, format: (count: number) => number(count) },
  deposits: { valueOf: (day: ClosedDay) => day.depositsCents, format: dollars },
  held: { valueOf: (day: ClosedDay) => day.heldCents, format: dollars },
} as const

type FigureName = keyof typeof dailyFigures

const figureNames = Object.keys(dailyFigures) as FigureName[]

/** Daily figures, top pulls, trading gains and CSV exports. */
export default function OverviewPanel() {
  return (
    <div className="space-y-8">
      <DayByDay />
      <TopPulls />
      <TradePairs />
      <CsvExports />
    </div>
  )
}

/** Daily figures as a chart and a table. */
function DayByDay() {
  const t = adminTexts.useT().admin.overview
  const days = useQuery(dailyFiguresQuery)
  return (
    <section aria-label={adminTexts.useT().admin.tab.overview} className="panel rounded-2xl p-6">
      <p className="text-sm text-muted-foreground">{t.text}</p>
      <Loaded
        query={days}
        failed={t.failed}
        skeleton={<Skeleton className="mt-4 h-80" />}
        empty={<EmptyState icon={<ChartNoAxesColumn />} title={t.none} text={t.noneText} level={3} />}
      >
        {(all) => <DailyChartAndTable days={all} />}
      </Loaded>
    </section>
  )
}

function DailyChartAndTable({ days }: { days: readonly ClosedDay[] }) {
  const t = adminTexts.useT().admin.overview
  const [chosen, setChosen] = useState<FigureName>('revenue')
  const points = useMemo(
    () => days.map((day) => ({ at: `${day.day}T00:00:00`, value: dailyFigures[chosen].valueOf(day) })).reverse(),
    [days, chosen],
  )
  const numberCell = 'text-right whitespace-nowrap'
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-4">
        <Select aria-label={t.show} value={chosen} onChange={({ target }) => setChosen(target.value as FigureName)}>
          {figureNames.map((name) => (
            <option key={name} value={name}>
              {t.columns[name]}
            </option>
          ))}
        </Select>
        <CsvLink url={dailyFiguresCsvUrl} label={t.csv} />
      </div>
      <Chart
        label={t.chart(t.columns[chosen])}
        points={points}
        format={dailyFigures[chosen].format}
        daily
        className="mt-4 h-64"
      />
      <Table
        caption={t.text}
        rows={days}
        idOf={({ day }) => day}
        roomy
        columns={[
          { head: t.columns.day, cell: ({ day }) => <time dateTime={day}>{day}</time>, cellClassName: 'tabular-nums' },
          ...figureNames.map((name) => ({
            head: t.columns[name],
            cell: (day: ClosedDay) => dailyFigures[name].format(dailyFigures[name].valueOf(day)),
            className: numberCell,
          })),
        ]}
      />
    </>
  )
}
