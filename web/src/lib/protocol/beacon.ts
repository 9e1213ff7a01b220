import { type Bytes, concat, fromHex, toHex, u32, u64, utf8 } from './bytes'
import { sha256 } from './hash'
import type { Schedule } from './sealed'

/** A public randomness beacon of drand's scheme `bls-unchained-g1-rfc9380`. Keys and hashes are in hex. */
export interface Chain extends Schedule {
  key: string
  groupHash: string
  id: string
}

/** Drand's main beacon. Its chain hash is 52db9ba7…. */
export const quicknet: Chain = {
  genesis: 1692803367,
  period: 3,
  key: '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  groupHash: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
  id: 'quicknet',
}

/** The chain hash, which names a beacon: SHA-256(u32 period ‖ i64 genesis ‖ key ‖ group hash ‖ id); null if malformed. */
export async function chainHash({ genesis, period, key, groupHash, id }: Chain): Promise<string | null> {
  const [publicKey, group] = [fromHex(key, 96), fromHex(groupHash, 32)]
  if (!publicKey || !group || !isCount(genesis, 2 ** 53) || !isCount(period, 2 ** 32) || period === 0) return null
  return toHex(await sha256(concat(u32(period), u64(BigInt(genesis)), publicKey, group, utf8(id))))
}

/** The beacon with this chain hash: a well-known one, or one that certifies itself; null if it is missing. */
export interface FoundChain {
  chain: Chain
  /** Verifiers know it, so the operator of this site can't be the only one behind it. */
  known: boolean
  /** Whether the description has the hash. */
  matches: boolean
}

export async function chainOf(hash: string, described: Chain | undefined): Promise<FoundChain | null> {
  if (hash === (await chainHash(quicknet))) return { chain: quicknet, known: true, matches: true }
  return described ? { chain: described, known: false, matches: (await chainHash(described)) === hash } : null
}

function isCount(value: number, below: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value < below
}

const DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'
/** The order of the field of coordinates. */
const PRIME = '1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab'
const COMPRESSED = 0x80
const INFINITY = 0x40
const FLAGS = 0xe0

/**
 * Whether a signature in hex is the beacon's of a round. Each round has exactly one, in one encoding. Loads the library
 * that checks it.
 */
export async function isSigned(chain: Chain, round: bigint, signature: string): Promise<boolean> {
  const [bytes, publicKey] = [fromHex(signature, 48), fromHex(chain.key, 96)]
  if (!bytes || !publicKey || !isCanonical(bytes)) return false
  const { bls12_381: curve } = await import('@noble/curves/bls12-381.js')
  const bls = curve.shortSignatures
  try {
    const point = curve.G1.Point.fromBytes(bytes)
    const key = curve.G2.Point.fromBytes(publicKey)
    // On the curve and in the subgroup.
    point.assertValidity()
    key.assertValidity()
    return bls.verify(point, bls.hash(await sha256(u64(round)), DST), key)
  } catch {
    return false
  }
}

/** Whether 48 bytes have the form of a compressed point other than infinity, with a reduced coordinate. */
function isCanonical(signature: Bytes): boolean {
  const [first = 0, ...rest] = signature
  if ((first & COMPRESSED) === 0 || (first & INFINITY) !== 0) return false
  return toHex(Uint8Array.of(first & ~FLAGS, ...rest)) < PRIME
}
