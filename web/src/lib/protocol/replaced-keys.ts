import { fromBase64, toHex, utf8 } from './bytes'
import { type Lines, readLines, shaped, time } from './leaf'
import { decimal } from './manifest'
import { type Checkpoint, parseCheckpoint, pathOf, rootOf } from './merkle'
import { parseNote, parseVerifierKey, verifierKey, verifyNote } from './note'

/** A leaf with its proof of inclusion in a signed tree. */
interface LeafProof {
  leaf: string
  index: number
  inclusionProof: readonly string[]
  checkpoint: string
}

/** The server's proof that a log ended by naming the key of the next one. */
export interface ReplacedKey {
  key: string
  nextKey: string
  /** The ended log's last leaf. */
  end: LeafProof
  /** The next log's first leaf. */
  begin: LeafProof
}

interface EndLeaf {
  origin: string
  key: string
  time: string
}

interface EpochLeaf {
  origin: string
  size: bigint
  root: string
  time: string
}

const label = shaped(/^\P{Cc}+$/u)

const endLines: Lines<EndLeaf> = { origin: ['origin', label], key: ['key', label], time: ['time', time] }

const epochLines: Lines<EpochLeaf> = {
  origin: ['origin', label],
  size: ['size', decimal],
  root: ['root', shaped(/^[0-9a-f]{64}$/)],
  time: ['time', time],
}

/** Parses a `kaibao-end/v1` leaf, the last one of a log whose key was replaced; null if invalid. */
function parseEndLeaf(text: string): EndLeaf | null {
  return readLines('kaibao-end/v1', endLines, text)
}

/** Parses a `kaibao-epoch/v1` leaf, the first one of a log that continues another; null if invalid. */
export function parseEpochLeaf(text: string): EpochLeaf | null {
  return readLines('kaibao-epoch/v1', epochLines, text)
}

/**
 * The published key and the earlier ones that provably led to it: each signed a log that ends by naming the next key,
 * whose log begins by naming that log's tree. `replaced` lists the newest first.
 */
export async function trustedKeys(published: string, replaced: readonly ReplacedKey[]): Promise<string[]> {
  const trusted = [published]
  for (const entry of replaced) {
    // oxlint-disable-next-line no-await-in-loop -- each depends on the one before
    if ((await isTrusted(entry.nextKey, trusted)) && (await isProven(entry))) trusted.push(entry.key)
  }
  return trusted
}

/**
 * Whether a trusted key signed in a log whose unused commitments are still in force: the current log or one that was only
 * given a new key. A restore replaces all unused commitments, and gives the log another name.
 */
export function keptCommitments(key: string, trusted: readonly string[], replaced: readonly ReplacedKey[]): boolean {
  const kept = trusted.slice(0, 1)
  for (const { key: ended, nextKey } of replaced)
    if (kept.includes(nextKey) && trusted.includes(ended)) kept.push(ended)
  return kept.includes(key)
}

/** Whether a key is one of the trusted ones. A restored database keeps its key, under another name. */
export async function isTrusted(key: string, trusted: readonly string[]): Promise<boolean> {
  const [wanted, ...known] = await Promise.all([key, ...trusted].map(parseVerifierKey))
  return known.some((one) => one && wanted && toHex(one.publicKey) === toHex(wanted.publicKey))
}

async function isProven({ key, nextKey, end, begin }: ReplacedKey): Promise<boolean> {
  const [ended, next] = await Promise.all([provenIn(end, key), provenIn(begin, nextKey)])
  const [last, first] = [parseEndLeaf(end.leaf), parseEpochLeaf(begin.leaf)]
  if (!ended || !next || !last || !first) return false
  return (
    end.index === ended.size - 1 &&
    last.key === nextKey &&
    last.origin === next.origin &&
    begin.index === 0 &&
    first.origin === ended.origin &&
    first.size === BigInt(ended.size) &&
    first.root === ended.root
  )
}

/** The checkpoint that contains a leaf, if the key signed it for its own log; otherwise null. */
async function provenIn(
  { leaf, index, inclusionProof, checkpoint }: LeafProof,
  key: string,
): Promise<Checkpoint | null> {
  const [note, verifier] = [parseNote(checkpoint), await parseVerifierKey(key)]
  const tree = note && parseCheckpoint(note.text)
  const hashes = inclusionProof.map(fromBase64)
  if (!verifier || !tree || tree.origin !== verifier.name || !hashes.every((hash) => hash !== null)) return null
  const path = pathOf(index, tree.size, hashes)
  const proven =
    path && toHex(await rootOf(utf8(leaf), path)) === tree.root && (await verifyNote(note, verifier)) === 'valid'
  return proven ? tree : null
}

/**
 * The trusted key that a note names as its signer, or the first one. A key may have signed under another name: a restored
 * database keeps it, but its log goes on under a new name.
 */
export async function signerOf(text: string, trusted: readonly string[]): Promise<string> {
  const signatures = parseNote(text)?.signatures ?? []
  const keys = await Promise.all(trusted.map(parseVerifierKey))
  const named = await Promise.all(
    keys.flatMap((key) => (key ? signatures.map(({ name }) => verifierKey(name, key.publicKey)) : [])),
  )
  const isNamed = (key: string) => signatures.some(({ name, keyHash }) => key.startsWith(`${name}+${keyHash}+`))
  return [...trusted, ...named].find(isNamed) ?? trusted[0] ?? ''
}
