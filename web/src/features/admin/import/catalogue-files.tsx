import { Download, Upload } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { catalogueCsvUrl } from '@/api/admin-catalogue'
import { Button } from '@/components/ui/button'
import { adminTexts } from '../texts'

const ImportDialog = lazy(() => import('./import-dialog'))

/** Buttons to export and import the catalogue. */
export default function CatalogueFiles() {
  const t = adminTexts.useT().importing
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button asChild variant="secondary">
        <a href={catalogueCsvUrl} download>
          <Download aria-hidden />
          <span>{t.export}</span>
        </a>
      </Button>
      <Button variant="secondary" onClick={() => startTransition(() => setOpen(true))}>
        <Upload aria-hidden />
        <span>{t.open}</span>
      </Button>
      <Suspense>{open && <ImportDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
