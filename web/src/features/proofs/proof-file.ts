import { type BidNote, parseBid } from '@/lib/protocol/bid'
import { fromUtf8, utf8 } from '@/lib/protocol/bytes'
import { parseOpenLeaf } from '@/lib/protocol/leaf'
import { parseNote } from '@/lib/protocol/note'
import type { Proof } from '@/lib/protocol/report'
import type { Case } from './use-case'

/** A proof with its table, as a file that needs nobody else. */
export function proofFile(openId: string, { proof, manifest }: Case): string {
  const { leaf, receipt, logKey, index, inclusionProof, checkpoint } = proof
  const table = manifest && { manifest: fromUtf8(manifest) }
  return `${JSON.stringify({ openId, leaf, receipt, logKey, index, inclusionProof, checkpoint, ...table }, null, 2)}\n`
}

export type Read =
  | { kind: 'proof'; checked: Case }
  /** A signed note alone: it brings neither key nor table. */
  | { kind: 'receipt'; openId: string | undefined; leaf: string; receipt: string }
  | { kind: 'bid'; bid: BidNote; receipt: string }

/** Reads what a visitor saved once; null for anything else. What it says is for the steps to judge. */
export function readFile(text: string): Read | null {
  const note = parseNote(text)
  const bid = note && parseBid(note.text)
  if (bid) return { kind: 'bid', bid, receipt: text }
  if (note) return { kind: 'receipt', openId: parseOpenLeaf(note.text)?.id, leaf: note.text, receipt: text }
  const json = parseJson(text)
  return json && isProof(json) ? { kind: 'proof', checked: caseOf(json) } : null
}

function caseOf(json: Proof & { manifest?: unknown }): Case {
  const { manifest } = json
  return { proof: json, ...(typeof manifest === 'string' && { manifest: utf8(manifest) }) }
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
  const { leaf, receipt, logKey, index, inclusionProof, checkpoint } = json
  const orNull = (type: string, value: unknown) => value === null || typeof value === type
  const list =
    inclusionProof === null ||
    (Array.isArray(inclusionProof) && inclusionProof.every((hash) => typeof hash === 'string'))
  const texts = [leaf, receipt].every((text) => typeof text === 'string')
  return texts && list && orNull('string', logKey) && orNull('number', index) && orNull('string', checkpoint)
}
