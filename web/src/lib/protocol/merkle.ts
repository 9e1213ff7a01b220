import { type Bytes, concat, fromBase64, fromHex, toHex, u8 } from './bytes'
import { sha256 } from './hash'

/** The hash of a leaf (RFC 6962, 2.1): SHA-256(0x00 ‖ leaf). */
export function leafHash(leaf: Bytes): Promise<Bytes> {
  return sha256(concat(u8(0), leaf))
}

/** The hash of an inner node (RFC 6962, 2.1): SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(concat(u8(1), left, right))
}

/** A sibling hash on the path to the root, and its side. */
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
    // The last node of a level without a sibling moves up unchanged.
    const levels = isLeft ? 1n : 1n + trailingZeros(node)
    ;[node, last] = [node >> levels, last >> levels]
  }
  return last === 0n ? path : null
}

/** The number of trailing zero bits; 0 for 0. */
function trailingZeros(index: bigint): bigint {
  let zeros = 0n
  for (let rest = index; rest > 0n && rest % 2n === 0n; rest >>= 1n) zeros++
  return zeros
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** The root computed from a leaf and its siblings. */
export async function rootOf(leaf: Bytes, path: readonly Sibling[]): Promise<Bytes> {
  let hash = await leafHash(leaf)
  for (const sibling of path) {
    hash = await (sibling.side === 'left' ? nodeHash(sibling.hash, hash) : nodeHash(hash, sibling.hash))
  }
  return hash
}

/** How the roots of two trees follow from a consistency proof. */
export interface ConsistencyPath {
  /** Null if it is the first tree's root. */
  start: Bytes | null
  /** A left sibling is part of both trees, a right one only of the second. */
  steps: Sibling[]
}

/**
 * The side of each hash of a consistency proof (RFC 9162, 2.1.4.2) from one tree to a larger one; null if a proof of this
 * length can't belong to trees of these sizes.
 */
export function consistencyPath(first: number, second: number, proof: readonly Bytes[]): ConsistencyPath | null {
  if (!isCount(first) || !isCount(second) || first === 0 || first >= second) return null
  if (!proof.every((hash) => hash.length === 32)) return null
  const isWhole = (BigInt(first) & BigInt(first - 1)) === 0n
  const [start = null, ...rest] = isWhole ? [null, ...proof] : proof
  if (!isWhole && !start) return null
  const skipped = trailingZeros(BigInt(first))
  let [node, last] = [BigInt(first - 1) >> skipped, BigInt(second - 1) >> skipped]
  const steps: Sibling[] = []
  for (const hash of rest) {
    if (!hash || last === 0n) return null
    const isRight = node % 2n === 0n && node !== last
    steps.push({ side: isRight ? 'right' : 'left', hash })
    const levels = isRight ? 1n : 1n + trailingZeros(node)
    ;[node, last] = [node >> levels, last >> levels]
  }
  return last === 0n ? { start, steps } : null
}

/** Whether one tree continues another by this consistency proof. */
export async function isConsistent(
  first: Pick<Checkpoint, 'size' | 'root'>,
  second: Pick<Checkpoint, 'size' | 'root'>,
  proof: readonly Bytes[],
): Promise<boolean> {
  if (first.size === second.size && isCount(first.size) && first.size > 0)
    return proof.length === 0 && first.root === second.root
  const path = consistencyPath(first.size, second.size, proof)
  const start = path?.start ?? fromHex(first.root, 32)
  if (!path || !start) return false
  let [older, newer] = [start, start]
  for (const { side, hash } of path.steps) {
    if (side === 'left') older = await nodeHash(hash, older)
    newer = await (side === 'left' ? nodeHash(hash, newer) : nodeHash(newer, hash))
  }
  return toHex(older) === first.root && toHex(newer) === second.root
}

/** A state of the log, as a checkpoint's text has it (C2SP tlog-checkpoint). */
export interface Checkpoint {
  origin: string
  size: number
  /** Hexadecimal. */
  root: string
}

/** Parses a checkpoint's text, without its signatures; null if invalid. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', count = '', base64 = '', ...rest] = text.split('\n')
  const root = fromBase64(base64)
  const size = /^(?:0|[1-9][0-9]{0,15})$/.test(count) ? Number(count) : -1
  if (origin === '' || !isCount(size) || root?.length !== 32 || rest.at(-1) !== '') return null
  return { origin, size, root: toHex(root) }
}
