import { fromHex, toHex } from './bytes'
import { commitmentOf, sha256 } from './hash'
import { type DrawHead, parseOpenLeaf } from './leaf'
import { isFinite, type Manifest, ManifestError, parseManifest } from './manifest'
import { compared, type Evidence, fact, type Proof, type Step, undecided } from './report'
import { type OrderLeaf, parseSealedOpenLeaf, parseUndrawn, type VoidLeaf } from './sealed'
import { type DrawnLeaf, itemSteps, keyStep } from './verify-draw'
import { hasNewCommitments, logSteps, receiptSteps } from './verify-log'
import { drawnLeaf, findOrder, orderSteps, pendingSteps, voidSteps } from './verify-sealed'

/**
 * Verifies an open from its proof and published data. A failed step means that the server cheated or has a bug, or that
 * the proof was changed.
 */
export async function verifyProof(proof: Proof, evidence: Evidence): Promise<Step[]> {
  const undrawn = parseUndrawn(proof.leaf)
  return undrawn ? undrawnSteps(undrawn, proof, evidence) : openSteps(proof, evidence)
}

async function openSteps(proof: Proof, evidence: Evidence): Promise<Step[]> {
  const sealed = parseSealedOpenLeaf(proof.leaf)
  const order = sealed && (await findOrder(proof, evidence))
  const leaf = sealed ? order && drawnLeaf(sealed, order) : parseOpenLeaf(proof.leaf)
  const signed = sealed ?? leaf
  const manifest = evidence.manifest ? tryParse(evidence.manifest) : null
  return [
    ...(signed ? await sealSteps(signed, evidence) : []),
    ...(sealed
      ? await orderSteps(sealed, order, proof, evidence, manifest instanceof ManifestError ? null : manifest)
      : []),
    ...(signed ? await tableSteps(signed, leaf, evidence) : []),
    ...(signed && evidence.shown ? [totalStep(signed, evidence.shown.totalValueCents)] : []),
    ...(await receiptSteps(proof, leaf, evidence, signed)),
    ...(await logSteps(proof)),
    ...(leaf ? [await nextStep(order?.leaf ?? leaf, proof, [proof.receipt, order?.receipt ?? ''], evidence)] : []),
  ]
}

/** Verifies the leaf of an order that isn't drawn yet, or of its void. */
async function undrawnSteps(leaf: OrderLeaf | VoidLeaf, proof: Proof, evidence: Evidence): Promise<Step[]> {
  const manifest = evidence.manifest ? tryParse(evidence.manifest) : null
  const isVoid = 'reason' in leaf
  const { serverSeed } = isVoid ? leaf : { serverSeed: null }
  return [
    ...(serverSeed === null ? [] : [await commitmentStep({ ...leaf, serverSeed })]),
    announcedStep(leaf, evidence.shownCommitment),
    ...(isVoid
      ? await voidSteps(leaf, proof, evidence)
      : await pendingSteps(leaf, evidence, manifest instanceof ManifestError ? null : manifest)),
    ...(isVoid ? [] : await orderTableSteps(leaf, evidence.manifest, manifest)),
    ...(await receiptSteps(proof, null, evidence, leaf)),
    ...(await logSteps(proof)),
    ...(isVoid ? [] : [await nextStep(leaf, proof, [proof.receipt], evidence)]),
  ]
}

/** The part of an open's leaf that it states itself. Only with its order has a sealed one the rest. */
type SignedLeaf = DrawHead & Pick<DrawnLeaf, 'serverSeed' | 'items'>

async function sealSteps(leaf: SignedLeaf, evidence: Evidence): Promise<Step[]> {
  return [await commitmentStep(leaf), announcedStep(leaf, evidence.shownCommitment)]
}

async function commitmentStep(leaf: DrawHead & Pick<DrawnLeaf, 'serverSeed'>): Promise<Step> {
  const got = toHex(await commitmentOf(fromHex(leaf.serverSeed, 32)!))
  return compared('commitment', [fact('serverSeed', leaf.serverSeed)], leaf.commitment, got)
}

function announcedStep(leaf: DrawHead, shown: string | undefined): Step {
  if (shown === undefined) return undecided('announced', 'announced', [], leaf.commitment)
  return compared('announced', [], shown, leaf.commitment)
}

/** `leaf` is null for a sealed open whose order is unknown. Its draw can't be repeated. */
async function tableSteps(
  signed: SignedLeaf,
  leaf: DrawnLeaf | null,
  { manifest: bytes, stock }: Evidence,
): Promise<Step[]> {
  const key = leaf ? await keyStep(leaf) : undecided('key', 'order', [])
  const manifest = bytes ? tryParse(bytes) : null
  const hash = await manifestStep(signed, bytes, manifest)
  if (manifest instanceof ManifestError) return [hash]
  if (!manifest) return [hash, key]
  if (!leaf) return [hash, key]
  const terms = termsStep({ ...leaf, items: leaf.items.length, isSealed: leaf.sealed !== undefined }, manifest)
  return [hash, terms, key, ...(await itemSteps(leaf, manifest, stock))]
}

async function orderTableSteps(
  order: OrderLeaf,
  bytes: Evidence['manifest'],
  manifest: Manifest | ManifestError | null,
) {
  const hash = await manifestStep(order, bytes, manifest)
  if (!manifest || manifest instanceof ManifestError) return [hash]
  return [hash, termsStep({ ...order, isSealed: true, items: manifest.items }, manifest)]
}

/** Compares a manifest's hash with the one that a leaf names. `manifest` is what the bytes parse to. */
export async function manifestStep(
  leaf: Pick<DrawHead, 'manifest'>,
  bytes: Evidence['manifest'],
  manifest: Manifest | ManifestError | null,
): Promise<Step> {
  if (!bytes) return undecided('manifest', 'manifest', [fact('manifestHash', leaf.manifest)])
  const hash = compared('manifest', [], leaf.manifest, toHex(await sha256(bytes)))
  return manifest instanceof ManifestError ? { ...hash, state: 'failed', got: manifest.message } : hash
}

/** Returns the error of bytes that aren't a manifest. */
export function tryParse(bytes: NonNullable<Evidence['manifest']>): Manifest | ManifestError {
  try {
    return parseManifest(bytes)
  } catch (error) {
    if (error instanceof ManifestError) return error
    throw error
  }
}

interface Terms extends Pick<DrawHead, 'pack' | 'draw'> {
  priceCents: number
  items: number
  isSealed: boolean
}

function termsStep({ isSealed, ...leaf }: Terms, manifest: Manifest): Step {
  const terms = (pack: string, price: number, items: number, finite: boolean, sealed = false) =>
    `pack ${pack}\nprice ${price}\nitems ${items}\n${finite ? 'finite' : 'unlimited'}${sealed ? '\nsealed' : ''}`
  // With a manifest that allows both, the player chooses.
  const sealed = manifest.sealing !== null && (isSealed || !manifest.sealing.instant)
  return compared(
    'terms',
    [],
    terms(manifest.pack, manifest.priceCents, manifest.items, isFinite(manifest), sealed),
    terms(leaf.pack, leaf.priceCents, leaf.items, leaf.draw > 0n, isSealed),
  )
}

function totalStep(leaf: SignedLeaf, shownCents: number): Step {
  const values = leaf.items.map(({ valueCents }) => valueCents)
  const sum = values.reduce((total, value) => total + value, 0)
  return compared('total', [fact('values', values.join(' + '))], String(sum), String(shownCents))
}

/** The leaf and receipts are those of the open and its order. The order may be in an earlier log. */
async function nextStep(
  leaf: Pick<OrderLeaf, 'next' | 'time'>,
  proof: Proof,
  receipts: readonly string[],
  evidence: Evidence,
): Promise<Step> {
  const next = evidence.nextCommitment
  if (next === undefined) return undecided('next', 'next', [], leaf.next)
  const isOlder = evidence.logBegan !== undefined && Date.parse(leaf.time) < Date.parse(evidence.logBegan)
  if (next !== leaf.next && (isOlder || (await hasNewCommitments(proof, receipts, evidence))))
    return undecided('next', 'newCommitments', [], leaf.next)
  return compared('next', [], leaf.next, next)
}
