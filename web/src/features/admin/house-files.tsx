import { useId } from 'react'
import { exportUrl, exportNames } from '@/api/admin-figures'
import { FileLink } from './file-link'
import { adminTexts } from './texts'

/** Leads to all that happened in the house, as files. */
export function HouseFiles() {
  const t = adminTexts.useT().overview
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-6">
      <h3 id={id} className="text-lg font-semibold">
        {t.files}
      </h3>
      <div className="mt-4 flex flex-wrap gap-3">
        {exportNames.map((name) => (
          <FileLink key={name} href={exportUrl(name)} label={t.file[name]} />
        ))}
      </div>
    </section>
  )
}
