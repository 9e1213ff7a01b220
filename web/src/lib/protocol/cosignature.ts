import { readU64 } from './bytes'
import { type Checkpoint, parseCheckpoint } from './merkle'
import {
  hasKey,
  type Note,
  parseNote,
  parseVerifierKey,
  type Signed,
  type VerifierKey,
  verifyNote,
  verifySignature,
} from './note'
import type { Policy } from './witnesses'

/** A witness's signature of a checkpoint (C2SP tlog-cosignature, Ed25519). */
export interface Cosignature {
  name: string
  keyHash: string
  /** In Unix seconds, rounded down. */
  time: bigint
}

const TIME_LENGTH = 8
const SIGNATURE_LENGTH = 64

/** The lines of a checkpoint that have the form of a cosignature. Their signatures aren't checked. */
export function cosignaturesOf({ signatures }: Note): Cosignature[] {
  return signatures
    .filter(({ signature }) => signature.length === TIME_LENGTH + SIGNATURE_LENGTH)
    .map(({ name, keyHash, signature }) => ({ name, keyHash, time: timeOf(signature) }))
}

/** As a signed number, so that a time beyond all clocks is before 1970. */
function timeOf(signature: Note['signatures'][number]['signature']): bigint {
  return BigInt.asIntN(64, readU64(signature.slice(0, TIME_LENGTH)))
}

async function verifyCosignature(note: Note, key: VerifierKey): Promise<Signed> {
  const signature = note.signatures.find(hasKey(key))?.signature
  if (!signature) return 'absent'
  if (signature.length !== TIME_LENGTH + SIGNATURE_LENGTH) return 'invalid'
  const time = readU64(signature.slice(0, TIME_LENGTH))
  return verifySignature(key, signature.slice(TIME_LENGTH), `cosignature/v1\ntime ${time}\n${note.text}`)
}

/** A checkpoint whose signatures are valid. */
export interface CosignedTree extends Checkpoint {
  /** Of the given witnesses. */
  cosignatures: Cosignature[]
}

/**
 * Verifies a checkpoint's signature by the log's key, and its cosignatures by witnesses. Those of other witnesses are
 * ignored.
 */
export async function openCosigned(
  signed: string,
  logKey: string,
  witnesses: readonly VerifierKey[],
): Promise<CosignedTree | Exclude<Signed, 'valid'>> {
  const [note, key] = [parseNote(signed), await parseVerifierKey(logKey.trim())]
  const tree = note && parseCheckpoint(note.text)
  if (!key || !tree || tree.origin !== key.name) return 'invalid'
  const bySigner = [
    await verifyNote(note, key),
    ...(await Promise.all(witnesses.map((w) => verifyCosignature(note, w)))),
  ]
  if (bySigner[0] === 'absent') return 'absent'
  for (const state of ['unsupported', 'invalid'] as const) if (bySigner.includes(state)) return state
  const known = cosignaturesOf({ ...note, signatures: note.signatures.filter((line) => isBy(line, witnesses)) })
  // Only the first line of each key was verified.
  const first = known.filter((line, at) => known.findIndex((other) => isSame(line, other)) === at)
  return { ...tree, cosignatures: first }
}

type Signer = Pick<Cosignature, 'name' | 'keyHash'>

const isSame = (a: Signer, b: Signer) => a.name === b.name && a.keyHash === b.keyHash

const isBy = (line: Signer, witnesses: readonly VerifierKey[]) => witnesses.some((witness) => isSame(line, witness))

/**
 * When a quorum had cosigned, in Unix seconds, if that is before `end`; otherwise null. Times are rounded down, so an
 * earlier second is an earlier time.
 */
export function quorumBefore(
  { cosignatures }: Pick<CosignedTree, 'cosignatures'>,
  { quorum }: Pick<Policy, 'quorum'>,
  end: bigint,
): bigint | null {
  const times = cosignatures.map(({ time }) => time).filter((time) => time > 0n && time < end)
  return times.toSorted((a, b) => Number(a - b))[quorum - 1] ?? null
}
