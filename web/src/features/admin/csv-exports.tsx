import { useId, useState } from 'react'
import { exportUrl, exportNames } from '@/api/admin-figures'
import { CsvLink } from './csv-link'
import { anyTime, PeriodFilter, periodOf } from './period-filter'
import { adminTexts } from './texts'

/** Links to export lists as CSV files, all but the packs for a period. */
export function CsvExports() {
  const t = adminTexts.useT().overview
  const id = useId()
  const [days, setDays] = useState(anyTime)
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h3 id={id} className="text-lg font-semibold">
          {t.files}
        </h3>
        <PeriodFilter value={days} onChange={setDays} />
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        {exportNames.map((name) => (
          <CsvLink key={name} url={exportUrl(name, periodOf(days))} label={t.file[name]} />
        ))}
      </div>
    </section>
  )
}
