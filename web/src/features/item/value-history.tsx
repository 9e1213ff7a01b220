import { useMemo, useState } from 'react'
import { useLanguage } from '@/i18n'
import { itemTexts } from './texts'
import type { ItemDetail } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { Chart } from '@/components/ui/chart'
import { Table } from '@/components/ui/table'
import { Section } from './section'

/** Source of values that came with the catalogue. */
const ownData = 'catalogue'

export function ValueHistory({ values }: { values: ItemDetail['values'] }) {
  const t = itemTexts.useT().values
  const language = useLanguage()
  const [now] = useState(() => new Date().toISOString())
  const points = useMemo(() => {
    const known = values.map(({ at, valueCents }) => ({ at, value: valueCents })).reverse()
    const last = known.at(-1)
    return last ? [...known, { at: now, value: last.value }] : []
  }, [values, now])
  return (
    <Section title={t.title} text={t.text}>
      <div className="mt-4 grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        {points.length > 0 && <Chart label={t.chart} points={points} format={dollars} />}
        <Table
          caption={t.title}
          rows={values}
          idOf={({ at, valueCents }) => `${at} ${valueCents}`}
          roomy
          className="mt-0"
          columns={[
            {
              head: t.since,
              cell: ({ at }) => <time dateTime={at}>{dateTime(at, language)}</time>,
              cellClassName: 'font-normal tabular-nums',
            },
            {
              head: t.reason,
              cell: ({ source, reason, at, countsFrom }) => (
                <>
                  <span>{source === ownData ? t.added : t.reasonFrom(source, reason)}</span>
                  {countsFrom !== at && (
                    <span className="block text-xs">
                      {countsFrom ? t.countsFrom(dateTime(countsFrom, language)) : t.countsLater}
                    </span>
                  )}
                </>
              ),
              cellClassName: 'text-muted-foreground',
            },
            {
              head: t.value,
              cell: ({ valueCents }) => dollars(valueCents),
              className: 'text-right',
              cellClassName: 'font-semibold',
            },
          ]}
        />
      </div>
    </Section>
  )
}
