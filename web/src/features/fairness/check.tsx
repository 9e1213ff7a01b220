import { useQuery } from '@tanstack/react-query'
import { FileWarning } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { logKeyQuery } from '@/api/log-key'
import { verifyTexts } from './texts/verify'
import { Button } from '@/ui/button'
import { Failed } from '@/ui/failed'
import { DropZone } from './drop-zone'
import type { Read } from './proof-file'
import { LazyBidReceipt, LazyResult, loadReader, useVerifierSoon } from './lazy-result'
import { ResultSkeleton } from './skeleton'
import { useCase } from './use-case'

/** More than any proof: a table of tens of thousands of cards fits. */
const maxBytes = 8_000_000

interface Chosen {
  name: string
  read: Read | 'unreadable' | 'tooLarge'
}

/** Checks a file that the visitor brings. `otherwise` is shown while there is none. */
export function CheckFile({ otherwise }: { otherwise: ReactNode }) {
  const t = verifyTexts.useT().check
  const [chosen, setChosen] = useState<Chosen>()
  // Asked for now, so that it is here when the server is not any more.
  useQuery(logKeyQuery)
  useVerifierSoon()

  async function check(file: File) {
    const { readFile } = await loadReader()
    const read = file.size > maxBytes ? 'tooLarge' : (readFile(await file.text()) ?? 'unreadable')
    setChosen({ name: file.name, read })
  }

  if (!chosen || typeof chosen.read === 'string') {
    return (
      <div className="space-y-5">
        <DropZone onFile={(file) => void check(file)} />
        {chosen && <Refused name={chosen.name} why={chosen.read as 'unreadable' | 'tooLarge'} />}
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
      <Checked read={chosen.read} />
    </>
  )
}

function Checked({ read }: { read: Read }) {
  switch (read.kind) {
    case 'proof':
      return <LazyResult checked={read.checked} />
    case 'receipt':
      return <FromReceipt {...read} />
    case 'bid':
      return <FromBid {...read} />
  }
}

function Refused({ name, why }: { name: string; why: 'unreadable' | 'tooLarge' }) {
  const t = verifyTexts.useT().check
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

/** A receipt alone: the site adds the rest while it answers, else what needs no more is checked. */
function FromReceipt({ openId, leaf, receipt }: Extract<Read, { kind: 'receipt' }>) {
  const t = verifyTexts.useT().check
  const rest = useCase(openId ?? '', openId !== undefined)
  const key = useQuery(logKeyQuery)
  if (rest.data) return <LazyResult checked={{ ...rest.data, proof: { ...rest.data.proof, receipt } }} />
  if (openId !== undefined && !rest.error) return <ResultSkeleton />
  if (!key.data) return <NoKey text={t.receiptOnly} />
  const alone = { leaf, receipt, logKey: null, index: null, inclusionProof: null, checkpoint: null }
  return <LazyResult checked={{ proof: alone }} />
}

/** A bid's receipt: nothing but its signature is to be checked. */
function FromBid({ bid, receipt }: Extract<Read, { kind: 'bid' }>) {
  const t = verifyTexts.useT().check
  const key = useQuery(logKeyQuery)
  return key.data ? <LazyBidReceipt bid={bid} receipt={receipt} logKey={key.data} /> : <NoKey text={t.bidOnly} />
}

function NoKey({ text }: { text: string }) {
  const key = useQuery(logKeyQuery)
  return <Failed text={text} retry={() => void key.refetch()} className="panel rounded-xl p-4" />
}
