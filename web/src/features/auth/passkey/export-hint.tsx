import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { shortDollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { passkeyTexts } from '../texts'
import ExportDialog from './export-dialog'
import { isExportHintDismissed, dismissExportHint } from './export-memory'

/** From this value on, losing the passkey would hurt. */
const worthExportingCents = 100_00

/** Suggests once, to the owner of a passkey wallet with a valuable collection, to export its key. */
export default function ExportHint({ address, valueCents }: { address: string; valueCents: number }) {
  const t = passkeyTexts.useT()
  const [exporting, setExporting] = useState(false)
  const [dismissed, setDismissed] = useState<string>()
  const known = dismissed === address || isExportHintDismissed(address)
  if (!exporting && (valueCents < worthExportingCents || known)) return null

  function dismiss() {
    dismissExportHint(address)
    setDismissed(address)
  }

  return (
    <section aria-label={t.hint.title} className="panel mb-6 flex flex-wrap items-center gap-4 rounded-2xl px-6 py-5">
      <KeyRound aria-hidden className="size-5 shrink-0 text-gold-text" />
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="font-semibold">{t.hint.title}</h2>
        <p className="mt-1 text-sm text-pretty text-muted-foreground">
          {t.hint.text(shortDollars(worthExportingCents))}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={dismiss}>
          {t.hint.dismiss}
        </Button>
        <Button onClick={() => setExporting(true)}>{t.export.button}</Button>
      </div>
      {exporting && <ExportDialog address={address} onClose={() => setExporting(false)} />}
    </section>
  )
}
