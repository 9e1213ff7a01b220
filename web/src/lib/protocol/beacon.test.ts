import { bls12_381 } from '@noble/curves/bls12-381.js'
import { expect, it } from 'vitest'
import { type Chain, chainHash, isSigned, quicknet } from './beacon'
import { toHex, u64 } from './bytes'
import { sha256 } from './hash'

const bls = bls12_381.shortSignatures
const secretKey = Uint8Array.from({ length: 32 }, (_, i) => i)
const sandbox: Chain = {
  genesis: 1_700_000_000,
  period: 1,
  key: bls.getPublicKey(secretKey).toHex(),
  groupHash: '00'.repeat(32),
  id: 'kaibao-sandbox',
}
const signed = async (round: bigint) =>
  bls.sign(bls.hash(await sha256(u64(round)), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'), secretKey)

it('accepts the one signature of a round, for its beacon only', async () => {
  const signature = (await signed(7n)).toHex()
  expect(await isSigned(sandbox, 7n, signature)).toBe(true)
  expect(await isSigned(sandbox, 8n, signature)).toBe(false)
  expect(await isSigned(quicknet, 7n, signature)).toBe(false)
  expect(await isSigned({ ...sandbox, key: quicknet.key }, 7n, signature)).toBe(false)
})

it('refuses other points and encodings', async () => {
  const point = await signed(7n)
  const compressed = point.toHex()
  for (const signature of [
    point.negate().toHex(),
    toHex(point.toBytes(false)),
    toHex(point.toBytes(false)).slice(0, 96),
    compressed.toUpperCase(),
    `${compressed}00`,
    `80${'00'.repeat(47)}`, // (0, 2) is on the curve, but not in the subgroup
    `c0${'00'.repeat(47)}`,
    `9f${'ff'.repeat(47)}`,
    '',
  ])
    expect(await isSigned(sandbox, 7n, signature)).toBe(false)
})

it('refuses a coordinate that is not reduced', async () => {
  const { p } = bls12_381.G1.Point.CURVE()
  let round = 1n
  let point = await signed(round)
  while (point.x + p >= 1n << 381n) point = await signed(++round)
  const flags = point.toBytes()[0]! & 0xe0
  const hex = (point.x + p).toString(16).padStart(96, '0')
  const other = toHex(Uint8Array.of(Number.parseInt(hex.slice(0, 2), 16) | flags)) + hex.slice(2)
  expect(await isSigned(sandbox, round, point.toHex())).toBe(true)
  expect(await isSigned(sandbox, round, other)).toBe(false)
})

it('refuses keys that are not points', async () => {
  const signature = (await signed(7n)).toHex()
  for (const key of ['', '00'.repeat(96), `c0${'00'.repeat(95)}`, `80${'00'.repeat(94)}02`])
    expect(await isSigned({ ...sandbox, key }, 7n, signature)).toBe(false)
})

it('hashes a chain', async () => {
  expect(await chainHash(sandbox)).toMatch(/^[0-9a-f]{64}$/)
  expect(await chainHash({ ...sandbox, id: 'other' })).not.toBe(await chainHash(sandbox))
  for (const wrong of [{ period: 0 }, { period: 2 ** 32 }, { genesis: -1 }, { genesis: 0.5 }, { key: '00' }])
    expect(await chainHash({ ...sandbox, ...wrong })).toBeNull()
})
