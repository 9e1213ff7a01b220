import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Copy, Download } from 'lucide-react'
import { useTrustedWitnesses } from '@/api/trusted-witnesses'
import { proofsTexts } from './texts'
import type * as en from './texts/en'
import { byHand, type Command, manifestFile } from '@/lib/protocol/by-hand'
import type { Bytes } from '@/lib/protocol/bytes'
import { parseProofLeaf } from '@/lib/protocol/proof-leaf'
import type { Proof } from '@/lib/protocol/report'
import { copyText, downloadText } from '@/lib/share'
import { Button } from '@/components/ui/button'
import { CodeLine } from './code-line'

interface ByHandProps {
  proof: Proof
  manifest: Bytes
}

/** Shell commands that repeat the checks without Kaibao, with their expected output. */
export function ByHand({ proof, manifest }: ByHandProps) {
  const t = proofsTexts.useT().verify.byHand
  const witnesses = useTrustedWitnesses().data?.witnesses
  const { data: commands } = useQuery({
    queryKey: ['by-hand', proof, witnesses],
    queryFn: () => byHand(proof, manifest, witnesses),
    networkMode: 'always',
    gcTime: 0,
  })
  if (!commands) return null
  const all = commands.map(({ text }) => text).join('\n')
  return (
    <details className="group panel rounded-2xl">
      <summary className="flex cursor-pointer list-none items-center gap-3 rounded-2xl px-5 py-4 font-semibold hover:bg-muted/50">
        <h2 className="flex-1 text-base">{t.title}</h2>
        <ChevronDown
          aria-hidden
          className="size-4 text-muted-foreground transition-transform group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      <div className="px-5 pb-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-muted-foreground">{t.text}</p>
          <Button size="sm" variant="secondary" onClick={() => void copyText(all, t.copied, t.copyFailed)}>
            <Copy aria-hidden />
            <span>{t.copyAll}</span>
          </Button>
        </div>
        <ol className="mt-4 space-y-5">
          {commands.map((command) => (
            <li key={`${command.id} ${command.item ?? command.witness?.name ?? ''}`}>
              <ByHandStep command={command} proof={proof} manifest={manifest} />
            </li>
          ))}
        </ol>
      </div>
    </details>
  )
}

function titleOf({ id, item = 0, witness }: Command, { commands }: typeof en.verify.byHand): string {
  if (id !== 'cosignature') return commands[id](item + 1)
  return commands.cosignature(witness?.name ?? '', new Date((witness?.time ?? 0) * 1000).toISOString())
}

function ByHandStep({ command, proof, manifest }: ByHandProps & { command: Command }) {
  const t = proofsTexts.useT().verify.byHand
  const title = titleOf(command, t)
  const hash = parseProofLeaf(proof.leaf)?.manifest ?? ''
  return (
    <>
      <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
      {command.id === 'manifest' && (
        <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-muted-foreground">
          <span>{t.needsTable}</span>
          <Button size="sm" variant="secondary" onClick={() => downloadText(manifestFile(hash), manifest)}>
            <Download aria-hidden />
            <span>{manifestFile(hash)}</span>
          </Button>
        </p>
      )}
      <CodeLine text={command.text} words={t} label={title} />
      {command.prints && (
        <p className="mt-1.5 pl-3 text-xs text-muted-foreground">
          <span>{t.prints}</span> <code className="font-mono break-all text-foreground">{command.prints}</code>
        </p>
      )}
    </>
  )
}
