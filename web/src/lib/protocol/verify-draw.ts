import { fromHex, toHex } from './bytes'
import { type DrawInputs, type DrawnItem, draw, drawKey, drawTiers, type Roll } from './draw'
import type { OpenLeaf } from './leaf'
import type { Manifest } from './manifest'
import { compared, type Evidence, type Fact, fact, type Step } from './report'

/** The leaf of an open, for a sealed one together with its order. */
export interface DrawnLeaf extends OpenLeaf {
  /** What a sealed draw adds to its key. */
  sealed?: NonNullable<DrawInputs['sealed']>
}

/** The inputs of the key of a leaf's draw. */
function keyInputs(leaf: DrawnLeaf): Omit<DrawInputs, 'manifest' | 'stock'> {
  return {
    manifestHash: fromHex(leaf.manifest, 32)!,
    serverSeed: fromHex(leaf.serverSeed, 32)!,
    clientSeed: leaf.clientSeed,
    nonce: leaf.nonce,
    ...(leaf.sealed && { sealed: leaf.sealed }),
  }
}

/** Shows the key. It can't be compared with anything; a wrong key would give other items. */
export async function keyStep(leaf: DrawnLeaf): Promise<Step> {
  const inputs = [
    fact('serverSeed', leaf.serverSeed),
    fact('manifestHash', leaf.manifest),
    fact('nonce', leaf.nonce),
    fact('clientSeed', leaf.clientSeed),
    ...(leaf.sealed
      ? [fact('orderHash', toHex(leaf.sealed.orderHash)), fact('signature', toHex(leaf.sealed.signature))]
      : []),
  ]
  return { id: 'key', state: 'ok', inputs, expected: '', got: toHex(await drawKey(keyInputs(leaf))) }
}

export async function itemSteps(leaf: DrawnLeaf, manifest: Manifest, stock: Evidence['stock']): Promise<Step[]> {
  const inputs: DrawInputs = { ...keyInputs(leaf), manifest, ...(stock && { stock }) }
  const key = fact('key', toHex(await drawKey(inputs)))
  if (leaf.draw > 0n && !stock) return tierSteps(leaf, inputs, key)
  const drawn = await draw(inputs)
  return Array.from({ length: manifest.items }, (_, item) => ({
    ...compared(
      'item',
      [key, ...(drawn?.[item] ? rolls(drawn[item], manifest) : [])],
      drawn?.[item] ? entry(drawn[item].card) : '',
      claimed(leaf, item),
    ),
    item,
  }))
}

/**
 * Items of a draw whose previous stock is unknown. Checks the tier roll, and that the manifest has the card with this
 * value. Which of the tier's cards is drawn depends on the stock.
 */
async function tierSteps(leaf: OpenLeaf, inputs: DrawInputs, key: Fact): Promise<Step[]> {
  const { manifest } = inputs
  const cards = new Set(manifest.tiers.flatMap((tier) => tier.cards.map(entry)))
  return (await drawTiers(inputs)).map(({ tierRoll, tier }, item) => {
    const got = claimed(leaf, item)
    const result = cards.has(got) ? ({ state: 'info', note: 'stock' } as const) : ({ state: 'failed' } as const)
    return { id: 'item', item, ...result, inputs: [key, ...tierFacts(tierRoll, tier, manifest)], expected: '', got }
  })
}

function entry({ id, valueCents }: { id: string; valueCents: number }): string {
  return `${id}:${valueCents}`
}

function claimed(leaf: OpenLeaf, item: number): string {
  const claimedItem = leaf.items[item]
  return claimedItem ? entry(claimedItem) : ''
}

function rolls(drawn: DrawnItem, manifest: Manifest): Fact[] {
  const from = manifest.tiers.findIndex((tier) => tier.cards.includes(drawn.card))
  const fellTo = from === drawn.tier ? [] : [fact('fellTo', manifest.tiers[from]!.label)]
  const cardRoll = fact('cardRoll', rollText(drawn.cardRoll))
  return [...tierFacts(drawn.tierRoll, drawn.tier, manifest), ...fellTo, cardRoll]
}

function tierFacts(roll: Roll, tier: number, manifest: Manifest): Fact[] {
  const rejected = roll.counter > 0 ? [fact('rejected', roll.counter)] : []
  return [fact('tierRoll', rollText(roll)), ...rejected, fact('tier', manifest.tiers[tier]!.label)]
}

/** "468 / 1009": the roll and its number of sides. */
function rollText({ value, sides }: Roll): string {
  return `${value} / ${sides}`
}
