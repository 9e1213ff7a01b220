import { type Bytes, concat, readU64, u16, u32, u64, u8, utf8 } from './bytes'
import { hmac, sha256, tagged } from './hash'
import type { Card, Manifest } from './manifest'

/** All inputs of an open's draw. */
export interface DrawInputs {
  manifest: Manifest
  manifestHash: Bytes
  serverSeed: Bytes
  clientSeed: string
  nonce: bigint
  /** What a sealed draw adds to its key. */
  sealed?: { orderHash: Bytes; signature: Bytes }
  /** Stock before this draw by card id; other cards have the manifest's stock. */
  stock?: ReadonlyMap<string, bigint>
}

export interface Roll {
  value: bigint
  /** How many blocks were rejected before this one. Rejection sampling makes the roll exactly uniform. */
  counter: number
  /** The roll is one of 0 … sides − 1. */
  sides: bigint
}

export interface DrawnItem {
  tierRoll: Roll
  /** Index of the tier that was rolled. */
  tier: number
  cardRoll: Roll
  card: Card
}

type Block = (item: number, purpose: number, counter: number) => Promise<Bytes>

const TIER = 0
const CARD = 1
const TWO_64 = 1n << 64n

/** The key from which all rolls of an open are derived. */
export async function drawKey({
  manifestHash,
  serverSeed,
  clientSeed,
  nonce,
  sealed,
}: Omit<DrawInputs, 'manifest' | 'stock'>): Promise<Bytes> {
  const seed = utf8(clientSeed)
  const sign = await hmac(serverSeed)
  const inputs = [manifestHash, u64(nonce), u16(seed.length), seed]
  if (!sealed) return sign(tagged('kaibao/v1/draw', ...inputs))
  return sign(tagged('kaibao/v2/draw', ...inputs, sealed.orderHash, await sha256(sealed.signature)))
}

/** Draws all items of an open; null if the pack is sold out. */
export async function draw(inputs: DrawInputs): Promise<DrawnItem[] | null> {
  const { manifest } = inputs
  const block = await blocks(inputs)
  const stock = new Map(inputs.stock)
  const left = (card: Card) => (card.stock === -1n ? -1n : (stock.get(card.id) ?? card.stock))
  const drawn: DrawnItem[] = []
  for (let i = 0; i < manifest.items; i++) {
    const tierRoll = await uniform(block, i, TIER, manifest.weightSum)
    const tier = tierAt(manifest, tierRoll.value)
    const candidates = candidatesFrom(manifest, tier, (card) => left(card) !== 0n)
    if (candidates.length === 0) return null
    const cardRoll = await uniform(block, i, CARD, BigInt(candidates.length))
    const card = candidates[Number(cardRoll.value)]!
    if (left(card) > 0n) stock.set(card.id, left(card) - 1n)
    drawn.push({ tierRoll, tier, cardRoll, card })
  }
  return drawn
}

/** Draws only the tiers. They don't depend on stock, so they can be checked without it. */
export async function drawTiers(inputs: DrawInputs): Promise<{ tierRoll: Roll; tier: number }[]> {
  const block = await blocks(inputs)
  const tiers = []
  for (let i = 0; i < inputs.manifest.items; i++) {
    const tierRoll = await uniform(block, i, TIER, inputs.manifest.weightSum)
    tiers.push({ tierRoll, tier: tierAt(inputs.manifest, tierRoll.value) })
  }
  return tiers
}

async function blocks(inputs: DrawInputs): Promise<Block> {
  const sign = await hmac(await drawKey(inputs))
  return (item, purpose, counter) => sign(concat(u32(item), u8(purpose), u32(counter)))
}

async function uniform(block: Block, item: number, purpose: number, sides: bigint): Promise<Roll> {
  const limit = TWO_64 - (TWO_64 % sides)
  for (let counter = 0; ; counter++) {
    const x = readU64(await block(item, purpose, counter))
    if (x < limit) return { value: x % sides, counter, sides }
  }
}

function tierAt(manifest: Manifest, roll: bigint): number {
  let cumulative = 0n
  return manifest.tiers.findIndex((tier) => (cumulative += tier.weight) > roll)
}

/** The rolled tier's cards in stock, else those of the next lower tier of positive weight, else all. */
function candidatesFrom(manifest: Manifest, rolled: number, inStock: (card: Card) => boolean): Card[] {
  for (let t = rolled; t >= 0; t--) {
    const tier = manifest.tiers[t]!
    const candidates = tier.weight > 0n ? tier.cards.filter(inStock) : []
    if (candidates.length > 0) return candidates
  }
  return manifest.tiers.flatMap((tier) => tier.cards.filter(inStock))
}
