import { useQuery } from '@tanstack/react-query'
import { logKeyQuery } from '@/api/log'
import { InlineError } from '@/components/ui/inline-error'
import { BidReceipt } from './bid-receipt'
import type { Read } from './proof-file'
import { Result } from './result'
import { ResultSkeleton } from './skeleton'
import { proofsTexts } from './texts'
import { useCase } from './use-case'

/** What a file says, checked. */
export function CheckedFile({ read }: { read: Read }) {
  switch (read.kind) {
    case 'proof':
      return <Result checked={read.checked} />
    case 'receipt':
      return <FromReceipt {...read} />
    case 'bid':
      return <FromBid {...read} />
  }
}

/** A receipt alone: the site adds the rest while it answers, else what needs no more is checked. */
function FromReceipt({ openId, leaf, receipt }: Extract<Read, { kind: 'receipt' }>) {
  const t = proofsTexts.useT().verify.check
  const rest = useCase(openId ?? '', openId !== undefined)
  const key = useQuery(logKeyQuery)
  if (rest.data) return <Result checked={{ ...rest.data, proof: { ...rest.data.proof, receipt } }} />
  if (openId !== undefined && !rest.error) return <ResultSkeleton />
  if (!key.data) return <NoKey text={t.receiptOnly} />
  const alone = { leaf, receipt, logKey: null, index: null, inclusionProof: null, checkpoint: null }
  return <Result checked={{ proof: alone }} />
}

/** A bid's receipt: nothing but its signature is to be checked. */
function FromBid({ bid, receipt }: Extract<Read, { kind: 'bid' }>) {
  const t = proofsTexts.useT().verify.check
  const key = useQuery(logKeyQuery)
  return key.data ? <BidReceipt bid={bid} receipt={receipt} logKey={key.data} /> : <NoKey text={t.bidOnly} />
}

function NoKey({ text }: { text: string }) {
  const key = useQuery(logKeyQuery)
  return <InlineError text={text} retry={() => void key.refetch()} className="panel rounded-xl p-4" />
}
