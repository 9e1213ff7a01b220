import { useId } from 'react'
import { houseFile, houseFiles } from '@/api/metrics'
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
        {houseFiles.map((name) => (
          <FileLink key={name} href={houseFile(name)} label={t.file[name]} />
        ))}
      </div>
    </section>
  )
}
