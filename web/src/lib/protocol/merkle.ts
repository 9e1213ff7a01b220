import { type Bytes, concat, fromBase64, toHex, u8 } from './bytes'
import { sha256 } from './hash'

/** The hash of a leaf (RFC 6962, 2.1): SHA-256(0x00 ‖ leaf). */
export function leafHash(leaf: Bytes): Promise<Bytes> {
  return sha256(concat(u8(0), leaf))
}

/** The hash of an inner node (RFC 6962, 2.1): SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(concat(u8(1), left, right))
}

/** One step up the tree: the hash beside the one carried, and on which side of it. */
export interface Sibling {
  side: 'left' | 'right'
  hash: Bytes
}

/**
 * The side of each hash of an inclusion proof (RFC 9162, 2.1.3.2); null if a proof of this length can't
 * belong to this leaf in a tree of this size.
 */
export function pathOf(index: number, size: number, proof: readonly Bytes[]): Sibling[] | null {
  if (!isCount(index) || !isCount(size) || index >= size) return null
  let [node, last] = [BigInt(index), BigInt(size - 1)]
  const path: Sibling[] = []
  for (const hash of proof) {
    if (last === 0n || hash.length !== 32) return null
    const isLeft = node % 2n === 0n && node < last
    path.push({ side: isLeft ? 'right' : 'left', hash })
    // The last node of a level that has no sibling there is carried up as it is.
    const levels = isLeft ? 1n : 1n + trailingZeros(node)
    ;[node, last] = [node >> levels, last >> levels]
  }
  return last === 0n ? path : null
}

/** How often an index halves without a remainder; 0 for 0. */
function trailingZeros(index: bigint): bigint {
  let zeros = 0n
  for (let rest = index; rest > 0n && rest % 2n === 0n; rest >>= 1n) zeros++
  return zeros
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** The root that a leaf and its siblings lead to. */
export async function rootOf(leaf: Bytes, path: readonly Sibling[]): Promise<Bytes> {
  let hash = await leafHash(leaf)
  for (const sibling of path) {
    hash = await (sibling.side === 'left' ? nodeHash(sibling.hash, hash) : nodeHash(hash, sibling.hash))
  }
  return hash
}

/** The state of the log that a checkpoint's text names (C2SP tlog-checkpoint). */
export interface Checkpoint {
  origin: string
  size: number
  /** Hexadecimal. */
  root: string
}

/** Reads a checkpoint's text, without its signatures; null for anything else. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', count = '', base64 = '', ...rest] = text.split('\n')
  const root = fromBase64(base64)
  const size = /^(?:0|[1-9][0-9]{0,15})$/.test(count) ? Number(count) : -1
  if (origin === '' || !isCount(size) || root?.length !== 32 || rest.at(-1) !== '') return null
  return { origin, size, root: toHex(root) }
}
