import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { shortDollars } from '@/lib/format'
import { localStore } from '@/lib/storage'
import { Button } from '@/components/ui/button'
import { passkeyTexts } from '../texts'
import ExportDialog from './export-dialog'

/** From this value on, losing the passkey would hurt. */
const worthExportingCents = 100_00

/** Local storage key of the addresses whose owners know that they can export their key. */
const toldKey = 'passkey-export-suggested'

const told = () => (localStore.getItem(toldKey) ?? '').split(' ')

/** Suggests once, to the owner of a passkey wallet with a valuable collection, to export its key. */
export default function ExportHint({ address, valueCents }: { address: string; valueCents: number }) {
  const t = passkeyTexts.useT()
  const [exporting, setExporting] = useState(false)
  const [dismissed, setDismissed] = useState<string>()
  const known = dismissed === address || told().includes(address)
  if (valueCents < worthExportingCents || (known && !exporting)) return null

  const remember = () => localStore.setItem(toldKey, [...new Set([...told(), address])].join(' ').trim())
  function close() {
    remember()
    setExporting(false)
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
        <Button variant="secondary" onClick={close}>
          {t.hint.later}
        </Button>
        <Button onClick={() => setExporting(true)}>{t.export.button}</Button>
      </div>
      {exporting && <ExportDialog address={address} onShown={remember} onClose={close} />}
    </section>
  )
}
