import { expect, it } from 'vitest'
// The server's tests read the same files.
import file from '../../../../internal/protocol/testdata/vectors.json'
import sealedFile from '../../../../internal/protocol/testdata/vectors-v2.json'
import { chainHash, isSigned, quicknet } from './beacon'
import { fromHex, toHex, utf8 } from './bytes'
import { type DrawInputs, draw, drawKey } from './draw'
import { commitmentOf, sha256 } from './hash'
import { parseManifest } from './manifest'
import { orderHash, parseOrderLeaf, parseSealedOpenLeaf, roundOf, timeOfRound } from './sealed'

interface Vector {
  name: string
  manifest: string
  manifestHash: string
  serverSeed: string
  commitment: string
  clientSeed: string
  nonce: number
  stock?: Record<string, number>
  key: string
  items:
    | {
        tierRoll: string
        tierCounter: number
        tier: number
        cardRoll: number
        cardCounter: number
        card: string
        value: number
      }[]
    | null
}

interface SealedVector extends Vector {
  sealed: boolean
  order?: string
  orderHash?: string
  round?: number
  signature?: string
  open?: string | null
}

const { protocol, cases } = file as { protocol: string; cases: Vector[] }
const { cases: sealedCases, ...sealed } = sealedFile as unknown as {
  protocol: string
  beacon: string
  cases: SealedVector[]
  rounds: { name: string; timeMs: number; lead: number; genesis: number; period: number; round: number }[]
  manifestsRefused: { name: string; manifest: string }[]
  signaturesRefused: { name: string; round: number; signature: string }[]
}

it('the vectors have the implemented protocol versions', () => {
  expect(protocol).toBe('kaibao/v1')
  expect(cases.length).toBeGreaterThan(10)
  expect(sealed.protocol).toBe('kaibao/v2')
})

it.each([...cases, ...sealedCases.filter((vector) => !vector.sealed)])('$name, nonce $nonce', async (vector) => {
  await checkDraw(vector, {})
})

async function checkDraw(vector: Vector, extra: Pick<DrawInputs, 'sealed'>) {
  const manifest = utf8(vector.manifest)
  const manifestHash = await sha256(manifest)
  const serverSeed = fromHex(vector.serverSeed, 32)!
  const inputs = {
    manifest: parseManifest(manifest),
    manifestHash,
    serverSeed,
    clientSeed: vector.clientSeed,
    nonce: BigInt(vector.nonce),
    stock: new Map(Object.entries(vector.stock ?? {}).map(([id, left]) => [id, BigInt(left)])),
    ...extra,
  }

  expect(toHex(manifestHash)).toBe(vector.manifestHash)
  expect(toHex(await commitmentOf(serverSeed))).toBe(vector.commitment)
  expect(toHex(await drawKey(inputs))).toBe(vector.key)
  const drawn = await draw(inputs)
  expect(
    drawn?.map(({ tierRoll, tier, cardRoll, card }) => ({
      tierRoll: String(tierRoll.value),
      tierCounter: tierRoll.counter,
      tier,
      cardRoll: Number(cardRoll.value),
      cardCounter: cardRoll.counter,
      card: card.id,
      value: card.valueCents,
    })) ?? null,
  ).toEqual(vector.items)
}

it.each(sealedCases.filter((vector) => vector.sealed))('sealed: $name, nonce $nonce', async (vector) => {
  const order = parseOrderLeaf(vector.order!)!
  const hash = await orderHash(vector.order!)
  const { sealing } = parseManifest(utf8(vector.manifest))
  expect(toHex(hash)).toBe(vector.orderHash)
  expect(order).toMatchObject({
    manifest: vector.manifestHash,
    commitment: vector.commitment,
    round: BigInt(vector.round!),
  })
  expect(order).toMatchObject({ clientSeed: vector.clientSeed, nonce: BigInt(vector.nonce) })
  expect(sealing?.beacon).toBe(sealed.beacon)
  expect(roundOf(Date.parse(order.time), sealing!.lead, quicknet)).toBe(order.round)
  expect(await isSigned(quicknet, order.round, vector.signature!)).toBe(true)
  await checkDraw(vector, { sealed: { orderHash: hash, signature: fromHex(vector.signature!, 48)! } })
  if (!vector.open) return
  expect(parseSealedOpenLeaf(vector.open)).toMatchObject({
    ...Object.fromEntries(['id', 'user', 'nonce', 'pack', 'draw'].map((key) => [key, order[key as 'id']])),
    serverSeed: vector.serverSeed,
    order: vector.orderHash,
    signature: vector.signature,
    items: vector.items!.map(({ card, value }) => ({ id: card, valueCents: value })),
  })
})

it.each(sealed.rounds)('the round: $name', ({ timeMs, lead, round, ...schedule }) => {
  expect(roundOf(timeMs, lead, schedule)).toBe(BigInt(round))
  expect(timeOfRound(BigInt(round), schedule)).toBeGreaterThanOrEqual(timeMs + 1000 * lead)
})

it.each(sealed.manifestsRefused)('refuses a manifest: $name', ({ manifest }) => {
  expect(() => parseManifest(utf8(manifest))).toThrow('line')
})

it.each(sealed.signaturesRefused)('refuses a signature: $name', async ({ round, signature }) => {
  expect(await isSigned(quicknet, BigInt(round), signature)).toBe(false)
})

it('knows quicknet by its chain hash', async () => {
  expect(await chainHash(quicknet)).toBe(sealed.beacon)
})
