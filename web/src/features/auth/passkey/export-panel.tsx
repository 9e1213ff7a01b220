import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { passkeyTexts } from '../texts'
import ExportDialog from './export-dialog'

/** The passkey wallet's section of the account page. */
export default function ExportPanel({ address }: { address: string }) {
  const t = passkeyTexts.useT()
  const [exporting, setExporting] = useState(false)
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="text-lg font-semibold">{t.export.heading}</h2>
      <p className="mt-1 mb-4 max-w-prose text-sm text-muted-foreground">{t.warning}</p>
      <Button variant="secondary" onClick={() => setExporting(true)}>
        {t.export.button}
      </Button>
      {exporting && <ExportDialog address={address} onClose={() => setExporting(false)} />}
    </section>
  )
}
