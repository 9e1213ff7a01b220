import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileWarning } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { logKeyQuery } from '@/api/log'
import { Button } from '@/components/ui/button'
import { DropZone } from './drop-zone'
import type { ParsedFile } from './proof-file'
import { proofsTexts } from './texts'
import { verifierQuery } from './verifier-query'

/** Enough for a manifest of tens of thousands of cards. */
const maxBytes = 8_000_000

type FileError = 'unreadable' | 'tooLarge'

interface ChosenFile {
  name: string
  result: ParsedFile | FileError
}

/** Restores a file's text as served: Windows may save it as UTF-16 with CRLF. Drops a byte order mark. */
async function decodeText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const encodings: Record<string, string> = { '255,254': 'utf-16le', '254,255': 'utf-16be' }
  const encoding = encodings[bytes.subarray(0, 2).join()] ?? 'utf-8'
  return new TextDecoder(encoding).decode(bytes).replaceAll('\r\n', '\n')
}

/** Verifies a file that the user picks. Renders `children` until there is one. */
export function CheckFile({ children }: { children: ReactNode }) {
  const t = proofsTexts.useT().verify.check
  const [chosen, setChosen] = useState<ChosenFile>()
  // Load both early, so that files can be checked when the server is down.
  const client = useQueryClient()
  const key = useQuery(logKeyQuery)
  const verifier = useQuery(verifierQuery)

  async function read(file: File): Promise<ParsedFile | FileError> {
    if (file.size > maxBytes) return 'tooLarge'
    const { parseFile } = await client.ensureQueryData(verifierQuery)
    return parseFile(await decodeText(file)) ?? 'unreadable'
  }

  async function check(file: File) {
    setChosen({ name: file.name, result: await read(file) })
  }

  if (!chosen || typeof chosen.result === 'string' || !verifier.data) {
    return (
      <div className="space-y-5">
        <DropZone ready={key.isSuccess && verifier.isSuccess} onFile={(file) => void check(file)} />
        {typeof chosen?.result === 'string' && <FileErrorNotice name={chosen.name} error={chosen.result} />}
        {children}
      </div>
    )
  }
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 truncate text-sm text-muted-foreground">{t.checked(chosen.name)}</p>
        <Button variant="secondary" size="sm" onClick={() => setChosen(undefined)}>
          {t.another}
        </Button>
      </div>
      <verifier.data.FileResult file={chosen.result} />
    </>
  )
}

function FileErrorNotice({ name, error }: { name: string; error: FileError }) {
  const t = proofsTexts.useT().verify.check
  return (
    <div role="alert" className="panel flex items-start gap-3.5 rounded-xl p-4">
      <FileWarning aria-hidden className="mt-0.5 size-5 shrink-0 text-destructive-text" />
      <div className="min-w-0">
        <p className="truncate font-mono text-xs text-muted-foreground">{name}</p>
        <p className="font-semibold">{t[error]}</p>
        {error === 'unreadable' && <p className="mt-0.5 text-sm text-muted-foreground">{t.unreadableText}</p>}
      </div>
    </div>
  )
}
