import { useId, useState } from 'react'
import { type ItemFile, useImport, useCheckImport } from '@/api/admin-catalogue'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import { raisesOf } from '../approvals/payload'
import type { ImportReport } from '@/contract/types'
import { toast } from '@/lib/toast'
import { useMountedRef } from '@/lib/use-mounted-ref'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Input } from '@/components/ui/input'
import { adminTexts } from '../texts'
import { EncodingChoice } from './encoding-choice'
import { FileChoice } from './file-choice'
import { type Encoding, readItemFile, type UnknownEncoding, type Unreadable } from './item-file'
import { Preview } from './preview'

/** Imports items from a file, after a preview. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = adminTexts.useT().importing
  const [file, setFile] = useState<ItemFile | UnknownEncoding | Unreadable>()
  const [done, setDone] = useState<ImportReport>()
  const dryRun = useCheckImport()
  const readable = typeof file === 'object' && 'text' in file ? file : undefined
  const unknownEncoding = typeof file === 'object' && 'samples' in file ? file : undefined
  const choose = async (chosen: File, encoding?: Encoding) => {
    setDone(undefined)
    const next = await readItemFile(chosen, encoding)
    setFile(next)
    if (typeof next === 'object' && 'text' in next) dryRun.mutate(next)
    else dryRun.reset()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-3xl">
        <DialogHeader title={t.title} text={t.text} />
        <div className="space-y-5">
          <FileChoice name={readable?.name ?? unknownEncoding?.file.name} onChoose={(chosen) => void choose(chosen)} />
          {unknownEncoding && (
            <EncodingChoice
              samples={unknownEncoding.samples}
              onChoose={(encoding) => void choose(unknownEncoding.file, encoding)}
            />
          )}
          <div role="status" className="text-sm text-muted-foreground empty:hidden">
            {dryRun.isPending && t.reading}
          </div>
          {typeof file === 'string' && <Failure text={t[file]} />}
          {dryRun.isError && <Refused error={dryRun.error} />}
          {readable && dryRun.data && !done && (
            <>
              <Preview report={dryRun.data} file={readable} />
              <ImportForm key={readable.digest} report={dryRun.data} file={readable} onDone={setDone} />
            </>
          )}
          {done && <Done report={done} onClose={onClose} />}
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Failure({ text }: { text: string }) {
  const t = adminTexts.useT().importing
  return (
    <p role="alert" className="text-sm text-destructive">
      {`${t.failed}: ${text}`}
    </p>
  )
}

function Refused({ error }: { error: Error }) {
  const t = adminTexts.useT().importing
  const texts = useT()
  const why = error instanceof ApiError ? error.fields['text'] : undefined
  return <Failure text={why === undefined ? errorText(error, texts) : t.reasonOf(why)} />
}

interface ImportFormProps {
  report: ImportReport
  file: ItemFile
  onDone: (report: ImportReport) => void
}

/** The form that runs the previewed import. */
function ImportForm({ report, file, onDone }: ImportFormProps) {
  const t = adminTexts.useT().importing
  const texts = useT()
  const reasonId = useId()
  const [reason, setReason] = useState(file.name)
  const [skipBad, setSkipBad] = useState(false)
  const [ignoring, setIgnoring] = useState(false)
  const unknown = report.unknownColumns.map(({ name }) => name)
  const changed = report.new + report.changed
  const mounted = useMountedRef()
  const importing = useImport(file, {
    onDone: (imported) => {
      // The dialog shows the outcome itself while it is open.
      if (mounted.current) onDone(imported)
      else toast({ title: t.done(imported.new + imported.changed) })
    },
    onFailed: (error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
  })
  if (changed === 0) return report.refused === 0 && <p className="text-sm">{t.unchanged}</p>
  return (
    <form
      className="space-y-4 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        importing.mutate({ digest: file.digest, reason, skipBad, ...(ignoring && { ignoreColumns: unknown }) })
      }}
    >
      {unknown.length > 0 && <Check label={t.ignore(unknown)} checked={ignoring} onCheck={setIgnoring} />}
      {report.refused > 0 && <Check label={t.skipBad(report.refused)} checked={skipBad} onCheck={setSkipBad} />}
      <div>
        <label htmlFor={reasonId} className="mb-1 block text-sm">
          {t.importReason}
        </label>
        <Input id={reasonId} value={reason} required onChange={(event) => setReason(event.target.value)} />
      </div>
      <div className="flex justify-end">
        <Button
          type="submit"
          disabled={importing.isPending || (report.refused > 0 && !skipBad) || (unknown.length > 0 && !ignoring)}
        >
          {t.import(changed)}
        </Button>
      </div>
    </form>
  )
}

interface CheckProps {
  label: string
  checked: boolean
  onCheck: (checked: boolean) => void
}

function Check({ label, checked, onCheck }: CheckProps) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onCheck(event.target.checked)}
        className="size-4 shrink-0 accent-gold"
      />
      <span className="wrap-anywhere">{label}</span>
    </label>
  )
}

function Done({ report, onClose }: { report: ImportReport; onClose: () => void }) {
  const t = adminTexts.useT().importing
  return (
    <div className="space-y-4">
      <p role="status" className="font-medium">
        {t.done(report.new + report.changed)}
      </p>
      {report.approval && <p className="text-sm">{t.waits(raisesOf(report.approval).length)}</p>}
      {report.packs.length > 0 && (
        <section aria-label={t.announced}>
          <h3 className="text-sm font-semibold">{t.announced}</h3>
          <ul className="mt-2 space-y-1 text-sm">
            {report.packs.map(({ id, name, paused, waits }) => (
              <li key={id}>
                <span>{name}</span>
                {waits && <span className="text-muted-foreground">{` · ${t.waitsForDraws}`}</span>}
                {paused && <span className="text-muted-foreground">{` · ${t.paused}: ${paused}`}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex justify-end">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </div>
  )
}
