import { fromHex, toHex } from './bytes'
import { commitmentOf, sha256 } from './hash'
import { type DrawHead, parseOpenLeaf } from './leaf'
import { isFinite, type Manifest, ManifestError, parseManifest } from './manifest'
import { compared, type Evidence, fact, type Proof, type Step, undecided } from './report'
import { parseSealedOpenLeaf } from './sealed'
import { type DrawnLeaf, itemSteps, keyStep } from './verify-draw'
import { logSteps, receiptSteps } from './verify-log'
import { drawnLeaf, findOrder, orderSteps } from './verify-sealed'

/**
 * Verifies an open from its proof and published data. A failed step means that the server cheated or has a bug, or that
 * the proof was changed.
 */
export async function verifyProof(proof: Proof, evidence: Evidence): Promise<Step[]> {
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
    ...(leaf ? [nextStep(leaf, evidence.nextCommitment)] : []),
  ]
}

/** The part of an open's leaf that it states itself. Only with its order has a sealed one the rest. */
type SignedLeaf = DrawHead & Pick<DrawnLeaf, 'serverSeed' | 'items'>

async function sealSteps(leaf: SignedLeaf, evidence: Evidence): Promise<Step[]> {
  return [await commitmentStep(leaf), announcedStep(leaf, evidence.shownCommitment)]
}

async function commitmentStep(leaf: SignedLeaf): Promise<Step> {
  const got = toHex(await commitmentOf(fromHex(leaf.serverSeed, 32)!))
  return compared('commitment', [fact('serverSeed', leaf.serverSeed)], leaf.commitment, got)
}

function announcedStep(leaf: SignedLeaf, shown: string | undefined): Step {
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
  if (!bytes) return [undecided('manifest', 'manifest', [fact('manifestHash', signed.manifest)]), key]
  const hash = compared('manifest', [], signed.manifest, toHex(await sha256(bytes)))
  const manifest = tryParse(bytes)
  if (manifest instanceof ManifestError) return [{ ...hash, state: 'failed', got: manifest.message }]
  if (!leaf) return [hash, key]
  return [hash, termsStep(leaf, manifest), key, ...(await itemSteps(leaf, manifest, stock))]
}

function tryParse(bytes: NonNullable<Evidence['manifest']>): Manifest | ManifestError {
  try {
    return parseManifest(bytes)
  } catch (error) {
    if (error instanceof ManifestError) return error
    throw error
  }
}

function termsStep(leaf: DrawnLeaf, manifest: Manifest): Step {
  const terms = (pack: string, price: number, items: number, finite: boolean, sealed = false) =>
    `pack ${pack}\nprice ${price}\nitems ${items}\n${finite ? 'finite' : 'unlimited'}${sealed ? '\nsealed' : ''}`
  // With a manifest that allows both, the player chooses.
  const isSealed = leaf.sealed !== undefined
  const sealed = manifest.sealing !== null && (isSealed || !manifest.sealing.instant)
  return compared(
    'terms',
    [],
    terms(manifest.pack, manifest.priceCents, manifest.items, isFinite(manifest), sealed),
    terms(leaf.pack, leaf.priceCents, leaf.items.length, leaf.draw > 0n, isSealed),
  )
}

function totalStep(leaf: SignedLeaf, shownCents: number): Step {
  const values = leaf.items.map(({ valueCents }) => valueCents)
  const sum = values.reduce((total, value) => total + value, 0)
  return compared('total', [fact('values', values.join(' + '))], String(sum), String(shownCents))
}

function nextStep(leaf: Pick<DrawnLeaf, 'next'>, next: string | undefined): Step {
  if (next === undefined) return undecided('next', 'next', [], leaf.next)
  return compared('next', [], leaf.next, next)
}
