import { type BidNote, parseBid } from '@/lib/protocol/bid'
import { fromUtf8, utf8 } from '@/lib/protocol/bytes'
import { parseProofLeaf } from '@/lib/protocol/proof-leaf'
import { parseNote } from '@/lib/protocol/note'
import type { IncludedLeaf, Proof } from '@/lib/protocol/report'
import { parseUndrawn } from '@/lib/protocol/sealed'
import type { ProofBundle } from './use-proof-bundle'

/** The text of a JSON file with everything needed to verify an open offline. */
export function proofFile(openId: string, { proof, manifest }: ProofBundle): string {
  const { leaf, receipt, logKey, index, inclusionProof, checkpoint, order, round, consistency } = proof
  const sealed = { ...(order && { order }), ...(round && { round }), ...(consistency && { consistency }) }
  const table = manifest && { manifest: fromUtf8(manifest) }
  const all = { openId, leaf, receipt, logKey, index, inclusionProof, checkpoint, ...sealed, ...table }
  return `${JSON.stringify(all, null, 2)}\n`
}

export type ParsedFile =
  | { kind: 'proof'; bundle: ProofBundle }
  /** Only a signed note, without key or manifest. */
  | { kind: 'receipt'; openId: string | undefined; leaf: string; receipt: string }
  | { kind: 'bid'; bid: BidNote; receipt: string }

/** Parses a saved proof, receipt or answer of the API; null for any other file. The steps verify its contents. */
export function parseFile(text: string): ParsedFile | null {
  const receipt = parseReceipt(text)
  if (receipt) return receipt
  const json = parseJson(text)
  if (!json) return null
  // The answer about an open, order or bid has its receipt.
  if (json.leaf === undefined && typeof json.receipt === 'string') return parseReceipt(json.receipt)
  return isProof(json) ? { kind: 'proof', bundle: bundleOf(json) } : null
}

function parseReceipt(receipt: string): ParsedFile | null {
  const note = parseNote(receipt)
  if (!note) return null
  const bid = parseBid(note.text)
  if (bid) return { kind: 'bid', bid, receipt }
  const openId = (parseProofLeaf(note.text) ?? parseUndrawn(note.text))?.id
  return { kind: 'receipt', openId, leaf: note.text, receipt }
}

function bundleOf(json: Proof & { manifest?: unknown }): ProofBundle {
  const { manifest, order, round, ...rest } = json
  const proof = { ...rest, ...(order?.leaf !== undefined && { order }), ...(round && { round }) }
  return { proof, ...(typeof manifest === 'string' && { manifest: utf8(manifest) }) }
}

function parseJson(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isProof(json: Record<string, unknown>): json is Record<string, unknown> & Proof {
  const { leaf, receipt, logKey, index, inclusionProof, checkpoint, order, round, consistency } = json
  const texts = [leaf, receipt].every((text) => typeof text === 'string')
  const parts = isOptional(order, isOrder) && isOptional(round, isIncluded) && isOptional(consistency, isList)
  return (
    texts &&
    parts &&
    (inclusionProof === null || isList(inclusionProof)) &&
    isNullOr('string', logKey) &&
    isNullOr('number', index) &&
    isNullOr('string', checkpoint)
  )
}

const isNullOr = (type: string, value: unknown) => value === null || typeof value === type

const isOptional = (value: unknown, is: (value: object) => boolean) =>
  value === undefined || value === null || (typeof value === 'object' && is(value))

const isList = (value: unknown) => Array.isArray(value) && value.every((hash) => typeof hash === 'string')

const isIncluded = (value: Partial<Record<keyof IncludedLeaf, unknown>>) =>
  hasLeaf(value) && typeof value.index === 'number' && isList(value.inclusionProof)

/** An order may lack its place in the log. Without a leaf, it is the API's description of it, which is ignored. */
const isOrder = (value: Partial<Record<keyof IncludedLeaf, unknown>>) => value.leaf === undefined || hasLeaf(value)

const hasLeaf = ({ leaf, receipt, index, inclusionProof }: Partial<Record<keyof IncludedLeaf, unknown>>) =>
  typeof leaf === 'string' &&
  ['string', 'undefined'].includes(typeof receipt) &&
  ['number', 'undefined'].includes(typeof index) &&
  (inclusionProof === undefined || isList(inclusionProof))
