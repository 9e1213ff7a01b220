import { useId } from 'react'
import { exportUrl, exportNames } from '@/api/admin-figures'
import { CsvLink } from './csv-link'
import { adminTexts } from './texts'

/** Links to export all packs, opens, sales and transfers as CSV files. */
export function CsvExports() {
  const t = adminTexts.useT().overview
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-6">
      <h3 id={id} className="text-lg font-semibold">
        {t.files}
      </h3>
      <div className="mt-4 flex flex-wrap gap-3">
        {exportNames.map((name) => (
          <CsvLink key={name} url={exportUrl(name)} label={t.file[name]} />
        ))}
      </div>
    </section>
  )
}
