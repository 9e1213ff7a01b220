import { chainOf } from './beacon'
import { ManifestError } from './manifest'
import { parseNote } from './note'
import { signerOf, trustedKeys } from './replaced-keys'
import { parseOpenLeaf } from './leaf'
import { type Claim, compared, type Proof, type PublicData, type Step } from './report'
import { parseOrderLeaf, parseSealedOpenLeaf } from './sealed'
import { manifestStep, tryParse, verifyProof } from './verify'
import { differing, signatureStep } from './verify-log'
import { roundStep } from './verify-sealed'

/** What the page asked for. The receipt must say the same. */
export interface Asked {
  packId: string
  clientSeed: string
  commitment: string
  manifest: string
}

/** The server's answer to an open. */
export interface Answered extends Claim {
  receipt: string
  next: { commitment: string; nonce: number }
}

/**
 * Verifies an open right after its answer: the receipt's signature, that it matches the request and the items shown, that
 * the draw gives the same items when repeated, and that the next commitment is the receipt's. Returns the failed steps.
 * Throws if the receipt's version is newer than this verifier.
 */
export async function verifyOpen(asked: Asked, answered: Answered, known: PublicData): Promise<Step[]> {
  const { receipt, next } = answered
  const proof = await receiptProof(receipt, known)
  const { leaf } = proof
  const steps = await verifyProof(proof, {
    ...known,
    shown: shownTo(asked, answered),
    shownCommitment: asked.commitment,
    nextCommitment: next.commitment,
  })
  const failed = steps.filter(({ state }) => state === 'failed')
  if (failed.length > 0) return failed
  const open = parseOpenLeaf(leaf)
  if (!open) throw new Error('The receipt needs a newer verifier.')
  const nonce = compared('next', [], String(open.nonce + 1n), String(next.nonce))
  return nonce.state === 'failed' ? [nonce] : []
}

/** The proof that only a receipt gives. */
async function receiptProof(receipt: string, known: PublicData): Promise<Proof> {
  const logKey = await signerOf(receipt, await trustedKeys(known.publishedKey, known.replacedKeys))
  const leaf = parseNote(receipt)?.text ?? ''
  return { leaf, receipt, logKey, index: null, inclusionProof: null, checkpoint: null }
}

/** The answer with what the page asked for, instead of what the server repeats of it. */
function shownTo(asked: Asked, answered: Claim): Claim {
  const { packId, clientSeed, commitment, manifest: manifestHash } = asked
  return { ...answered, packId, clientSeed, commitment, manifestHash }
}

/** The server's answer to an order of a sealed pack. */
export interface AnsweredOrder extends Omit<Answered, 'items' | 'totalValueCents' | 'serverSeedRevealed'> {
  order?: { round: number }
}

/**
 * Verifies an order right after its answer: the receipt's signature, that it matches the request, that the manifest is
 * the one it names, that the round is the one that the manifest's lead gives, and that the next commitment is the
 * receipt's. Returns the failed steps.
 */
export async function verifyOrder(asked: Asked, answered: AnsweredOrder, known: PublicData): Promise<Step[]> {
  const { leaf: text, receipt, logKey } = await receiptProof(answered.receipt, known)
  const leaf = parseOrderLeaf(text)
  const signature = await signatureStep('receipt', receipt, logKey ?? '')
  if (!leaf) return [unexpectedLeaf(text, 'kaibao-order/v1')]
  const parsed = tryParse(known.manifest)
  const manifest = parsed instanceof ManifestError ? null : parsed
  const chain = manifest?.sealing ? await chainOf(manifest.sealing.beacon, known.beacon) : null
  const expected = {
    id: answered.openId,
    nonce: BigInt(answered.nonce),
    pack: asked.packId,
    manifest: asked.manifest,
    draw: BigInt(answered.drawSeq),
    commitment: asked.commitment,
    clientSeed: asked.clientSeed,
    priceCents: manifest?.priceCents,
    round: BigInt(answered.order?.round ?? 0),
    next: answered.next.commitment,
  }
  const names = Object.keys(expected) as (keyof typeof expected)[]
  const lines = (fields: Record<keyof typeof expected, unknown>) =>
    names.map((name) => `${name} ${String(fields[name])}`).join('\n')
  const steps = [
    signature,
    compared('shown', [], ...differing(lines(expected), lines(leaf))),
    await manifestStep(leaf, known.manifest, parsed),
    compared('terms', [], 'sealed', manifest?.sealing && chain?.matches ? 'sealed' : 'not sealed'),
    roundStep(leaf, manifest, chain),
    compared('next', [], String(leaf.nonce + 1n), String(answered.next.nonce)),
  ]
  return steps.filter(({ state }) => state === 'failed')
}

function unexpectedLeaf(text: string, kind: string): Step {
  return { ...compared('leaf', [], kind, text.split('\n', 1)[0] ?? ''), state: 'failed' }
}

/** Verifies the draw of an order: like an open, and that it is the order's, with the beacon's signature of its round. */
export async function verifyDraw(
  asked: Asked,
  answered: Claim & { receipt: string },
  orderReceipt: string,
  known: PublicData,
): Promise<Step[]> {
  const proof = await receiptProof(answered.receipt, known)
  if (!parseSealedOpenLeaf(proof.leaf)) return [unexpectedLeaf(proof.leaf, 'kaibao-open/v2')]
  const steps = await verifyProof(proof, {
    ...known,
    orderReceipt,
    shown: shownTo(asked, answered),
    shownCommitment: asked.commitment,
  })
  return steps.filter(({ state }) => state === 'failed')
}
