import { useQuery } from '@tanstack/react-query'
import { logKeyQuery } from '@/api/log'
import { InlineError } from '@/components/ui/inline-error'
import type { Proof } from '@/lib/protocol/report'
import { parseOrderLeaf } from '@/lib/protocol/sealed'
import { BidReceipt } from './bid-receipt'
import type { ParsedFile } from './proof-file'
import { ProofResult } from './proof-result'
import { ResultSkeleton } from './skeleton'
import { proofsTexts } from './texts'
import { useLogKeys } from './use-log-keys'
import { useProofBundle } from './use-proof-bundle'

/** The contents of a file, verified. */
export function FileResult({ file }: { file: ParsedFile }) {
  switch (file.kind) {
    case 'proof':
      return <ProofResult bundle={file.bundle} />
    case 'receipt':
      return <ReceiptResult {...file} />
    case 'bid':
      return <BidResult {...file} />
  }
}

/** A receipt. The server adds the rest of the proof; if it can't, only the receipt is checked. */
function ReceiptResult({ openId, leaf, receipt }: Extract<ParsedFile, { kind: 'receipt' }>) {
  const t = proofsTexts.useT().verify.check
  const published = useProofBundle(openId ?? '', openId !== undefined)
  const key = useQuery(logKeyQuery)
  if (published.data) {
    const { proof } = published.data
    return <ProofResult bundle={{ ...published.data, proof: { ...proof, ...receiptOf(proof, leaf, receipt) } }} />
  }
  if (openId !== undefined && !published.error) return <ResultSkeleton />
  if (!key.data) return <MissingKey text={t.receiptOnly} />
  const receiptOnly = { leaf, receipt, logKey: null, index: null, inclusionProof: null, checkpoint: null }
  return <ProofResult bundle={{ proof: receiptOnly }} />
}

/** The receipt's part of a proof. Once an order is settled, its receipt is no longer that of the proof's leaf. */
function receiptOf(proof: Proof, leaf: string, receipt: string): Partial<Proof> {
  const isSettled = parseOrderLeaf(leaf) !== null && parseOrderLeaf(proof.leaf) === null
  return isSettled ? { order: { ...proof.order, leaf, receipt } } : { receipt }
}

/** A bid's receipt, of which only the signature can be checked. */
function BidResult({ bid, receipt }: Extract<ParsedFile, { kind: 'bid' }>) {
  const t = proofsTexts.useT().verify.check
  const keys = useLogKeys(receipt)
  if (keys.isLoading) return <ResultSkeleton />
  if (keys.published === undefined) return <MissingKey text={t.bidOnly} />
  return <BidReceipt bid={bid} receipt={receipt} publishedKey={keys.published} replacedKeys={keys.replaced ?? []} />
}

function MissingKey({ text }: { text: string }) {
  const key = useQuery(logKeyQuery)
  return <InlineError text={text} retry={() => void key.refetch()} className="panel rounded-xl p-4" />
}
