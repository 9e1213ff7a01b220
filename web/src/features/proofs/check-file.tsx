import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileWarning } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { logKeyQuery } from '@/api/log'
import { Button } from '@/components/ui/button'
import { DropZone } from './drop-zone'
import type { Read } from './proof-file'
import { proofsTexts } from './texts'
import { verifierQuery } from './verifier-query'

/** More than any proof: a table of tens of thousands of cards fits. */
const maxBytes = 8_000_000

type Refusal = 'unreadable' | 'tooLarge'

interface Chosen {
  name: string
  read: Read | Refusal
}

/** A file's text as it was served: Windows saves it as UTF-16 and with other line ends. A mark at its start goes. */
async function plainText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const encodings: Record<string, string> = { '255,254': 'utf-16le', '254,255': 'utf-16be' }
  const encoding = encodings[bytes.subarray(0, 2).join()] ?? 'utf-8'
  return new TextDecoder(encoding).decode(bytes).replaceAll('\r\n', '\n')
}

/** Checks a file that the visitor brings. `otherwise` is shown while there is none. */
export function CheckFile({ otherwise }: { otherwise: ReactNode }) {
  const t = proofsTexts.useT().verify.check
  const [chosen, setChosen] = useState<Chosen>()
  // Asked for now, so that both are here when the server is not any more.
  const client = useQueryClient()
  const key = useQuery(logKeyQuery)
  const verifier = useQuery(verifierQuery)

  async function read(file: File): Promise<Read | Refusal> {
    if (file.size > maxBytes) return 'tooLarge'
    const { readFile } = await client.ensureQueryData(verifierQuery)
    return readFile(await plainText(file)) ?? 'unreadable'
  }

  async function check(file: File) {
    setChosen({ name: file.name, read: await read(file) })
  }

  if (!chosen || typeof chosen.read === 'string' || !verifier.data) {
    return (
      <div className="space-y-5">
        <DropZone ready={key.isSuccess && verifier.isSuccess} onFile={(file) => void check(file)} />
        {typeof chosen?.read === 'string' && <Refused name={chosen.name} why={chosen.read} />}
        {otherwise}
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
      <verifier.data.CheckedFile read={chosen.read} />
    </>
  )
}

function Refused({ name, why }: { name: string; why: Refusal }) {
  const t = proofsTexts.useT().verify.check
  return (
    <div role="alert" className="panel flex items-start gap-3.5 rounded-xl p-4">
      <FileWarning aria-hidden className="mt-0.5 size-5 shrink-0 text-destructive-text" />
      <div className="min-w-0">
        <p className="truncate font-mono text-xs text-muted-foreground">{name}</p>
        <p className="font-semibold">{t[why]}</p>
        {why === 'unreadable' && <p className="mt-0.5 text-sm text-muted-foreground">{t.unreadableText}</p>}
      </div>
    </div>
  )
}
