import { chainOf, type FoundChain, isSigned } from './beacon'
import { fromHex, toHex } from './bytes'
import type { Manifest } from './manifest'
import { parseNote } from './note'
import { compared, type Evidence, fact, type Proof, type Step, undecided } from './report'
import {
  type OrderLeaf,
  orderHash,
  parseOrderLeaf,
  roundOf,
  type SealedOpenLeaf,
  type Settlement,
  timeOfRound,
  type VoidLeaf,
} from './sealed'
import type { DrawnLeaf } from './verify-draw'
import { fixedStep } from './verify-fixed'
import { signerOf } from './replaced-keys'
import { differing, keysOf, provenTree, signatureStep } from './verify-log'

/** The order of a sealed open, from its proof or from this browser. */
export interface FoundOrder {
  leaf: OrderLeaf
  /** The hash of the leaf's text. */
  hash: string
  /** The text as a note signed by the log key; empty if unknown. */
  receipt: string
}

/** The order that belongs to a sealed open; null if it is unknown, or not a valid order. */
export async function findOrder(proof: Proof, { orderReceipt }: Evidence): Promise<FoundOrder | null> {
  const receipt = orderReceipt ?? proof.order?.receipt ?? ''
  const text = parseNote(receipt)?.text ?? proof.order?.leaf
  const leaf = text === undefined ? null : parseOrderLeaf(text)
  return leaf && text !== undefined ? { leaf, hash: toHex(await orderHash(text)), receipt } : null
}

/** The leaf of a sealed open together with its order: everything that the draw depends on. */
export function drawnLeaf(open: SealedOpenLeaf, order: FoundOrder): DrawnLeaf {
  const { clientSeed, priceCents, next } = order.leaf
  const sealed = { orderHash: fromHex(order.hash, 32)!, signature: fromHex(open.signature, 48)! }
  return { ...open, clientSeed, priceCents, next, sealed }
}

/** The steps that only sealed opens have. */
export async function orderSteps(
  open: SealedOpenLeaf,
  order: FoundOrder | null,
  proof: Proof,
  evidence: Evidence,
  manifest: Manifest | null,
): Promise<Step[]> {
  const chain = manifest?.sealing ? await chainOf(manifest.sealing.beacon, evidence.beacon) : null
  const round = order
    ? roundStep(order.leaf, manifest, chain, open.time)
    : undecided('round', 'order', [fact('round', open.round)])
  const isKnown = chain?.matches && round.state === 'ok' && order?.hash === open.order
  return [
    orderStep(open, order),
    await orderReceiptStep(order, proof, evidence),
    round,
    await beaconStep(open, manifest, chain),
    await fixedStep(
      open,
      proof,
      { tree: await provenTree(proof), roundAt: isKnown ? timeOfRound(open.round, chain.chain) : null },
      evidence.witnesses,
    ),
  ]
}

/** The steps of an order's own leaf, before its draw. */
export async function pendingSteps(order: OrderLeaf, evidence: Evidence, manifest: Manifest | null): Promise<Step[]> {
  const chain = manifest?.sealing ? await chainOf(manifest.sealing.beacon, evidence.beacon) : null
  return [roundStep(order, manifest, chain), undecided('drawn', 'pending', [fact('round', order.round)])]
}

/** The steps of a void's leaf. Only the whole log shows whether it was allowed. */
export async function voidSteps(leaf: VoidLeaf, proof: Proof, evidence: Evidence): Promise<Step[]> {
  const order = await findOrder(proof, evidence)
  return [
    orderStep(leaf, order),
    ...(order?.receipt ? [await orderReceiptStep(order, proof, evidence)] : []),
    undecided('drawn', leaf.reason === 'lost' ? 'lost' : 'voided', [
      fact('round', leaf.round),
      fact('reason', leaf.reason),
    ]),
  ]
}

/** Compares the hash of the order and the fields that the open repeats. */
function orderStep(open: Settlement, order: FoundOrder | null): Step {
  if (!order) return undecided('order', 'order', [fact('orderHash', open.order)])
  const lines = (leaf: Settlement | OrderLeaf, hash: string) =>
    [`order ${hash}`, ...repeated.map((name) => `${name} ${leaf[name]}`)].join('\n')
  return compared(
    'order',
    [fact('time', order.leaf.time)],
    ...differing(lines(order.leaf, order.hash), lines(open, open.order)),
  )
}

const repeated = ['id', 'user', 'nonce', 'pack', 'manifest', 'draw', 'commitment', 'round'] as const

/** The order may have been signed in an earlier log than its draw. */
async function orderReceiptStep(order: FoundOrder | null, proof: Proof, evidence: Evidence): Promise<Step> {
  if (!order?.receipt) return undecided('orderReceipt', proof.order?.receipt === '' ? 'replacedKey' : 'order', [])
  return signatureStep('orderReceipt', order.receipt, await signerOf(order.receipt, await keysOf(proof, evidence)))
}

/**
 * The round is the first one that the beacon publishes the lead or more after the order. A draw isn't dated before
 * its round.
 */
export function roundStep(
  order: OrderLeaf,
  manifest: Manifest | null,
  found: FoundChain | null,
  drawnAt?: string,
): Step {
  const inputs = [fact('time', order.time)]
  if (!manifest) return undecided('round', 'manifest', inputs, String(order.round))
  if (!found) return undecided('round', 'beacon', inputs, String(order.round))
  const lead = manifest.sealing?.lead ?? 0
  const expected = roundOf(Date.parse(order.time), lead, found.chain)
  const published = new Date(timeOfRound(order.round, found.chain))
  const facts = [...inputs, ...(Number.isNaN(published.getTime()) ? [] : [fact('roundTime', published.toISOString())])]
  if (expected === order.round && drawnAt !== undefined && Date.parse(drawnAt) < published.getTime())
    return compared('round', facts, `drawn at ${published.toISOString()} or later`, `drawn at ${drawnAt}`)
  return compared('round', facts, String(expected), String(order.round))
}

async function beaconStep(open: SealedOpenLeaf, manifest: Manifest | null, found: FoundChain | null): Promise<Step> {
  const inputs = [fact('round', open.round), fact('signature', open.signature)]
  if (!manifest) return undecided('beacon', 'manifest', inputs)
  const hash = manifest.sealing?.beacon ?? ''
  if (!found && manifest.sealing) return undecided('beacon', 'beacon', [...inputs, fact('beacon', hash)])
  const valid = found !== null && found.matches && (await isSigned(found.chain, open.round, open.signature))
  const step = compared(
    'beacon',
    [...inputs, fact('beacon', found?.chain.id ?? hash)],
    'valid',
    valid ? 'valid' : 'invalid',
  )
  return valid && !found.known ? { ...step, state: 'info', note: 'ownBeacon' } : step
}
