import { chainOf } from './beacon'
import { fromBase64, toHex, utf8 } from './bytes'
import { type Cosignature, cosignaturesOf, openCosigned, quorumBefore } from './cosignature'
import { sha256 } from './hash'
import { type Checkpoint, isConsistent, pathOf, rootOf } from './merkle'
import { parseManifest } from './manifest'
import { parseNote } from './note'
import { isTrusted, trustedKeys } from './replaced-keys'
import {
  compared,
  type Evidence,
  type Fact,
  fact,
  type IncludedLeaf,
  isIncluded,
  type NoteId,
  type Proof,
  type PublicData,
  type Step,
  undecided,
} from './report'
import { orderHash, parseOrderLeaf, parseRoundLeaf, type RoundLeaf, type SealedOpenLeaf, timeOfRound } from './sealed'
import type { Policy } from './witnesses'

/** What the other steps found out. */
interface Found {
  /** The log's tree, if it is proven to have the open. */
  tree: Checkpoint | null
  /** When the order's round was published, in milliseconds; null if unknown. */
  roundAt: number | null
}

/**
 * Checks that witnesses whom the visitor trusts saw the order in the log before its round: a quorum cosigned a tree with
 * the order, and the log continues that tree. Agrees with `kaibao verify receipt`.
 */
export async function fixedStep(
  open: SealedOpenLeaf,
  proof: Proof,
  { tree, roundAt }: Found,
  witnesses: Evidence['witnesses'],
): Promise<Step> {
  const { order, round: included } = proof
  if (!tree) return undecided('fixed', proof.index === null ? waitingFor(proof) : 'unprovenOpen', [])
  if (!isIncluded(order) || !isIncluded(included)) return undecided('fixed', 'roundLeaf', [])
  const inputs = [fact('index', order.index)]
  const round = parseRoundLeaf(included.leaf)
  if (round?.round !== open.round || round.signature !== open.signature)
    return failed(inputs, `round ${open.round}`, round ? `round ${round.round}` : '')
  if (toHex(await orderHash(order.leaf)) !== open.order) return failed(inputs, open.order, '')
  const roots = await Promise.all([order, included].map((leaf) => rootIn(leaf, tree)))
  const other = roots.find((root) => root !== tree.root)
  if (other !== undefined) return failed(inputs, tree.root, other ?? '')
  if (round.checkpoint === '') return unfixed(round, 'unwitnessed', inputs)
  if (roundAt === null) return undecided('fixed', 'roundTime', inputs)
  return cosignedStep(proof, { order, round, tree, roundAt, inputs }, witnesses)
}

/** An order that was copied from a log that ended may be fixed in that log, whose checkpoint the round has, too. */
function unfixed({ endedCheckpoint }: RoundLeaf, note: NoteId, inputs: Fact[]): Step {
  return endedCheckpoint === '' ? undecided('fixed', note, inputs) : inEndedLog(endedCheckpoint, inputs)
}

const inEndedLog = (checkpoint: string, inputs: Fact[]) =>
  undecided('fixed', 'endedLog', [...inputs, fact('origin', originOf(checkpoint))])

const originOf = (checkpoint: string) => checkpoint.split('\n', 1)[0] ?? ''

const waitingFor = ({ logKey }: Proof) => (logKey === null ? 'receiptOnly' : 'waiting')

const failed = (inputs: Fact[], expected: string, got: string): Step => ({
  ...compared('fixed', inputs, expected, got),
  state: 'failed',
})

/** The root that a leaf's path leads to; null if the path doesn't fit the tree. */
async function rootIn({ leaf, index, inclusionProof }: IncludedLeaf, { size }: Checkpoint): Promise<string | null> {
  const hashes = inclusionProof.map(fromBase64)
  const path = hashes.every((hash) => hash !== null) ? pathOf(index, size, hashes) : null
  return path && toHex(await rootOf(utf8(leaf), path))
}

interface Cosigned {
  order: IncludedLeaf
  round: RoundLeaf
  tree: Checkpoint
  roundAt: number
  inputs: Fact[]
}

async function cosignedStep(
  { logKey, consistency }: Proof,
  { order, round, tree, roundAt, inputs }: Cosigned,
  policy: Evidence['witnesses'],
): Promise<Step> {
  if (originOf(round.checkpoint) !== tree.origin) return inEndedLog(round.checkpoint, inputs)
  const trusted = policy?.witnesses ?? []
  const fixed = await openCosigned(round.checkpoint, logKey ?? '', trusted)
  if (fixed === 'unsupported') return undecided('fixed', 'unsupported', inputs)
  if (typeof fixed === 'string') return failed(inputs, 'valid', fixed)
  const hashes = (consistency ?? []).map(fromBase64)
  if (!hashes.every((hash) => hash !== null) || !(await isConsistent(fixed, tree, hashes)))
    return failed([...inputs, fact('size', fixed.size)], tree.root, fixed.root)
  const note = parseNote(round.checkpoint)
  const isNamed = ({ name, keyHash }: Cosignature) =>
    trusted.some((key) => key.name === name && key.keyHash === keyHash)
  const facts = [
    ...inputs,
    fact('size', fixed.size),
    fact('roundTime', new Date(roundAt).toISOString()),
    ...fixed.cosignatures.map(({ name, time }) => fact('witness', `${name} ${isoTime(time)}`)),
    ...(note ? cosignaturesOf(note) : [])
      .filter((line) => !isNamed(line))
      .map(({ name, keyHash }) => fact('operatorWitness', `${name}+${keyHash}`)),
  ]
  if (order.index >= fixed.size) return unfixed(round, 'unproven', facts)
  if (!policy) return undecided('fixed', 'operatorWitnesses', facts)
  if (quorumBefore(fixed, policy, BigInt(roundAt / 1000)) === null) return unfixed(round, 'unproven', facts)
  return compared('fixed', facts, '', '')
}

/** A time in Unix seconds; the seconds if it is beyond all calendars. */
function isoTime(seconds: bigint): string {
  const at = new Date(Number(seconds) * 1000)
  return Number.isNaN(at.getTime()) ? String(seconds) : at.toISOString()
}

/**
 * Returns how many whole seconds before its round a quorum of the policy cosigned a tree that contains the order. Null if
 * the proof doesn't show it, or not yet.
 */
export async function fixedSeconds(
  receipt: string,
  proof: Proof,
  { manifest, publishedKey, replacedKeys, beacon }: PublicData,
  policy: Policy,
): Promise<number | null> {
  const text = parseNote(receipt)?.text ?? ''
  const order = parseOrderLeaf(text)
  const place = [proof, proof.order].find((one) => one?.leaf === text)
  const logKey = proof.logKey?.trim() ?? ''
  if (!order || !isIncluded(place) || proof.checkpoint === null) return null
  if (!(await isTrusted(logKey, await trustedKeys(publishedKey, replacedKeys)))) return null
  const tree = await openCosigned(proof.checkpoint, logKey, policy.witnesses)
  if (typeof tree === 'string' || (await rootIn(place, tree)) !== tree.root) return null
  if (toHex(await sha256(manifest)) !== order.manifest) return null
  const { sealing } = parseManifest(manifest)
  const chain = sealing && (await chainOf(sealing.beacon, beacon))
  if (!chain?.matches) return null
  const end = BigInt(timeOfRound(order.round, chain.chain) / 1000)
  const at = quorumBefore(tree, policy, end)
  // The witness signed within the second after this time.
  return at === null ? null : Number(end - at - 1n)
}
