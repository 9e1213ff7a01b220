import { readU64 } from './bytes'
import type { Note } from './note'

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
    .map(({ name, keyHash, signature }) => ({ name, keyHash, time: readU64(signature.slice(0, TIME_LENGTH)) }))
}
