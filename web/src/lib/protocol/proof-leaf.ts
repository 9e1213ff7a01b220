import { type OpenLeaf, parseOpenLeaf } from './leaf'
import { parseSealedOpenLeaf } from './sealed'

/** What the leaf of an open states, instant or sealed. */
export interface ProofLeaf extends Pick<OpenLeaf, 'id' | 'user' | 'nonce' | 'pack' | 'manifest' | 'items' | 'time'> {
  /** Null for a sealed one: its order states the price. */
  priceCents: number | null
  /** The beacon's round that drew it; null for an instant one. */
  round: bigint | null
}

/** Parses the leaf of an open; null if invalid. */
export function parseProofLeaf(text: string): ProofLeaf | null {
  const open = parseOpenLeaf(text)
  if (open) return { ...open, round: null }
  const sealed = parseSealedOpenLeaf(text)
  return sealed && { ...sealed, priceCents: null }
}
