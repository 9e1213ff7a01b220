import { time } from './leaf'
import { decimal } from './manifest'
import { parseWitnessKey, type VerifierKey } from './note'

/** The witnesses that cosign the log's checkpoints (`kaibao-witnesses/v1`). */
export interface WitnessesLeaf {
  /** How many distinct witnesses must have cosigned a checkpoint. */
  quorum: number
  witnesses: VerifierKey[]
  time: string
}

/** Parses a leaf that names 1 to 15 distinct witnesses; null if invalid. */
export async function parseWitnessesLeaf(text: string): Promise<WitnessesLeaf | null> {
  const shape = /^kaibao-witnesses\/v1\nquorum (\S+)\n((?:witness \S+\n){1,15})time (\S+)\n$/
  const [, count = '', lines = '', at = ''] = shape.exec(text) ?? []
  const keys = lines.split('\n').slice(0, -1)
  const witnesses = await Promise.all(keys.map((line) => parseWitnessKey(line.slice('witness '.length))))
  const quorum = Number(decimal(count, BigInt(keys.length)) ?? 0n)
  if (!witnesses.every((key) => key !== null) || quorum === 0 || !time(at)) return null
  const distinct = (parts: string[]) => new Set(parts).size === witnesses.length
  if (!distinct(witnesses.map(({ name }) => name)) || !distinct(witnesses.map(({ publicKey }) => publicKey.join())))
    return null
  return { quorum, witnesses, time: at }
}
