import { fromHex, toHex } from './bytes'
import { commitmentOf, sha256 } from './hash'
import { type OpenLeaf, parseOpenLeaf } from './leaf'
import { isFinite, type Manifest, ManifestError, parseManifest } from './manifest'
import { compared, type Evidence, fact, type Proof, type Step, undecided } from './report'
import { itemSteps, keyStep } from './verify-draw'
import { logSteps, receiptSteps } from './verify-log'

/**
 * Verifies an open from its proof and published data. A failed step means that the server cheated or has a bug, or that
 * the proof was changed.
 */
export async function verifyProof(proof: Proof, evidence: Evidence): Promise<Step[]> {
  const leaf = parseOpenLeaf(proof.leaf)
  return [
    ...(leaf ? await drawSteps(leaf, evidence) : []),
    ...(await receiptSteps(proof, leaf, evidence)),
    ...(await logSteps(proof)),
    ...(leaf ? [nextStep(leaf, evidence.nextCommitment)] : []),
  ]
}

async function drawSteps(leaf: OpenLeaf, evidence: Evidence): Promise<Step[]> {
  return [
    await commitmentStep(leaf),
    announcedStep(leaf, evidence.shownCommitment),
    ...(await tableSteps(leaf, evidence)),
    ...(evidence.shown ? [totalStep(leaf, evidence.shown.totalValueCents)] : []),
  ]
}

async function commitmentStep(leaf: OpenLeaf): Promise<Step> {
  const got = toHex(await commitmentOf(fromHex(leaf.serverSeed, 32)!))
  return compared('commitment', [fact('serverSeed', leaf.serverSeed)], leaf.commitment, got)
}

function announcedStep(leaf: OpenLeaf, shown: string | undefined): Step {
  if (shown === undefined) return undecided('announced', 'announced', [], leaf.commitment)
  return compared('announced', [], shown, leaf.commitment)
}

async function tableSteps(leaf: OpenLeaf, { manifest: bytes, stock }: Evidence): Promise<Step[]> {
  if (!bytes) return [undecided('manifest', 'manifest', [fact('manifestHash', leaf.manifest)]), await keyStep(leaf)]
  const hash = compared('manifest', [], leaf.manifest, toHex(await sha256(bytes)))
  const manifest = tryParse(bytes)
  if (manifest instanceof ManifestError) return [{ ...hash, state: 'failed', got: manifest.message }]
  return [hash, termsStep(leaf, manifest), await keyStep(leaf), ...(await itemSteps(leaf, manifest, stock))]
}

function tryParse(bytes: NonNullable<Evidence['manifest']>): Manifest | ManifestError {
  try {
    return parseManifest(bytes)
  } catch (error) {
    if (error instanceof ManifestError) return error
    throw error
  }
}

function termsStep(leaf: OpenLeaf, manifest: Manifest): Step {
  const terms = (pack: string, price: number, items: number, finite: boolean, sealed = false) =>
    `pack ${pack}\nprice ${price}\nitems ${items}\n${finite ? 'finite' : 'unlimited'}${sealed ? '\nsealed' : ''}`
  // The leaf is that of an instant open.
  const sealed = manifest.sealing !== null && !manifest.sealing.instant
  return compared(
    'terms',
    [],
    terms(manifest.pack, manifest.priceCents, manifest.items, isFinite(manifest), sealed),
    terms(leaf.pack, leaf.priceCents, leaf.items.length, leaf.draw > 0n),
  )
}

function totalStep(leaf: OpenLeaf, shownCents: number): Step {
  const values = leaf.items.map(({ valueCents }) => valueCents)
  const sum = values.reduce((total, value) => total + value, 0)
  return compared('total', [fact('values', values.join(' + '))], String(sum), String(shownCents))
}

function nextStep(leaf: OpenLeaf, next: string | undefined): Step {
  if (next === undefined) return undecided('next', 'next', [], leaf.next)
  return compared('next', [], leaf.next, next)
}
