import { time } from './leaf'
import { decimal } from './manifest'
import { parseWitnessKey, type VerifierKey } from './note'

/** How many of which witnesses must have cosigned a checkpoint. */
export interface Policy {
  quorum: number
  witnesses: VerifierKey[]
}

/** The witnesses that cosign the log's checkpoints (`kaibao-witnesses/v1`). */
export interface WitnessesLeaf extends Policy {
  time: string
}

/** Parses a leaf that names 1 to 15 distinct witnesses; null if invalid. */
export async function parseWitnessesLeaf(text: string): Promise<WitnessesLeaf | null> {
  const shape = /^kaibao-witnesses\/v1\nquorum (\S+)\n((?:witness \S+\n){1,15})time (\S+)\n$/
  const [, count = '', lines = '', at = ''] = shape.exec(text) ?? []
  const keys = lines.split('\n').slice(0, -1)
  const policy = await policyOf(
    count,
    keys.map((line) => line.slice('witness '.length)),
  )
  return policy && time(at) ? { ...policy, time: at } : null
}

const most = 15

/**
 * Parses the witnesses that a visitor trusts: a verifier key on each line, which may begin with "witness ", and optionally
 * a line "quorum NUMBER"; without it, all of them are needed. Null if invalid.
 */
export async function parsePolicy(text: string): Promise<Policy | null> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const quorums = lines.filter((line) => line.startsWith('quorum '))
  const keys = lines.filter((line) => !line.startsWith('quorum ')).map((line) => line.replace(/^witness /, ''))
  if (quorums.length > 1 || keys.length === 0 || keys.length > most) return null
  return policyOf(quorums[0]?.slice('quorum '.length) ?? String(keys.length), keys)
}

/** The policy with these distinct keys; null if invalid. */
async function policyOf(count: string, keys: readonly string[]): Promise<Policy | null> {
  const witnesses = await Promise.all(keys.map(parseWitnessKey))
  const quorum = Number(decimal(count, BigInt(keys.length)) ?? 0n)
  if (!witnesses.every((key) => key !== null) || quorum === 0) return null
  const distinct = (parts: string[]) => new Set(parts).size === witnesses.length
  const isDistinct =
    distinct(witnesses.map(({ name }) => name)) && distinct(witnesses.map(({ publicKey }) => publicKey.join()))
  return isDistinct ? { quorum, witnesses } : null
}
