import { expect, it } from 'vitest'
// The server's tests read the same file.
import file from '../../../../internal/protocol/testdata/vectors.json'
import { fromHex, toHex, utf8 } from './bytes'
import { draw, drawKey } from './draw'
import { commitmentOf, sha256 } from './hash'
import { parseManifest } from './manifest'

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

const { protocol, cases } = file as { protocol: string; cases: Vector[] }

it('the vectors have the implemented protocol version', () => {
  expect(protocol).toBe('kaibao/v1')
  expect(cases.length).toBeGreaterThan(10)
})

it.each(cases)('$name, nonce $nonce', async (vector) => {
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
})
