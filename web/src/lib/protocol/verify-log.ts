import { fromBase64, toHex, utf8 } from './bytes'
import { isNewer, type OpenLeaf, parseOpenLeaf } from './leaf'
import { type Checkpoint, leafHash, parseCheckpoint, pathOf, rootOf } from './merkle'
import { parseNote, parseVerifierKey, type Signed, verifyNote } from './note'
import { parseOrderLeaf } from './sealed'
import { type Claim, compared, type Evidence, fact, type Proof, type Step, type StepId, undecided } from './report'
import { isTrusted, keptCommitments, signerOf, trustedKeys } from './replaced-keys'

/** The commitment of the user's next open, from a receipt; null if this key didn't sign the receipt. */
export async function announcedBy(receipt: string, logKey: string): Promise<string | null> {
  const note = parseNote(receipt)
  const leaf = note && (parseOpenLeaf(note.text) ?? parseOrderLeaf(note.text))
  return leaf && (await signedBy(receipt, logKey)) === 'valid' ? leaf.next : null
}

async function signedBy(text: string, logKey: string): Promise<Signed> {
  const note = parseNote(text)
  const key = await parseVerifierKey(logKey.trim())
  return note && key ? verifyNote(note, key) : 'absent'
}

/** `signed` has the fields that the leaf's text states even without `leaf`, which a sealed open has only with its order. */
export async function receiptSteps(
  proof: Proof,
  leaf: OpenLeaf | null,
  evidence: Evidence,
  signed: Pick<OpenLeaf, 'user' | 'time'> | null = leaf,
): Promise<Step[]> {
  const { logKey, receipt } = proof
  const published = evidence.publishedKey?.trim()
  const trusted = await keysOf(proof, evidence)
  const named = logKey?.trim()
  // A leaf that waited for its place during a restore has a receipt under the ended log's name.
  const other = named === undefined || (await isTrusted(named, trusted)) ? trusted : []
  const signers = named === undefined ? other : [named, ...other]
  return [
    ...(named === undefined ? [] : [await logKeyStep(named, published, trusted)]),
    lostReceipt(proof, published)
      ? undecided('receipt', 'replacedKey', [])
      : await signatureStep('receipt', receipt, await signerOf(receipt, signers)),
    leafStep(proof, signed, published),
    ...(leaf && evidence.shown ? [shownStep(leaf, evidence.shown)] : []),
  ]
}

/** The keys that receipts may be signed with: the published one and those that led to it, or else that of the proof. */
export async function keysOf({ logKey }: Proof, { publishedKey, replacedKeys }: Evidence): Promise<string[]> {
  if (publishedKey === undefined) return logKey ? [logKey.trim()] : []
  return trustedKeys(publishedKey.trim(), replacedKeys ?? [])
}

/** Whether a restore has replaced all unused commitments since the log of a proof, or of another receipt for it. */
export async function hasNewCommitments(
  proof: Proof,
  receipts: readonly string[],
  evidence: Evidence,
): Promise<boolean> {
  const trusted = await keysOf(proof, evidence)
  const signers = await Promise.all(receipts.map((receipt) => signerOf(receipt, trusted)))
  const keys = proof.logKey === null ? signers : [proof.logKey.trim(), ...signers]
  const states = await Promise.all(keys.map((key) => isTrusted(key, trusted)))
  return keys.some((key, at) => states[at] && !keptCommitments(key, trusted, evidence.replacedKeys ?? []))
}

/** Whether the server can't sign the receipt any more, since its key was replaced. The checkpoint still proves the leaf. */
function lostReceipt({ receipt, logKey, checkpoint }: Proof, published: string | undefined): boolean {
  return receipt === '' && checkpoint !== null && logKey !== null && logKey.trim() !== published
}

async function logKeyStep(named: string, published: string | undefined, trusted: readonly string[]): Promise<Step> {
  const key = await parseVerifierKey(named)
  if (published === undefined && key) return undecided('logKey', 'logKey', [], named)
  if (published !== undefined && named !== published && (await isTrusted(named, trusted)))
    return compared('logKey', [fact('currentKey', published)], named, named)
  return { ...compared('logKey', [], published ?? '', named), ...(!key && { state: 'failed' }) }
}

export async function signatureStep(id: StepId, text: string, logKey: string): Promise<Step> {
  const signed = await signedBy(text, logKey)
  const inputs = [fact('logKey', logKey.trim())]
  if (signed === 'unsupported') return undecided(id, 'unsupported', inputs, signed)
  return compared(id, inputs, 'valid', signed)
}

/** Checks that the note's text is the leaf, byte for byte, and that the leaf is valid. */
function leafStep(proof: Proof, leaf: Pick<OpenLeaf, 'user' | 'time'> | null, published: string | undefined): Step {
  const signed = parseNote(proof.receipt)?.text ?? ''
  const facts = leaf ? [fact('user', leaf.user), fact('time', leaf.time)] : []
  const kind = proof.leaf.split('\n', 1)[0] ?? ''
  if (!leaf && signed === proof.leaf && isNewer(kind)) return undecided('leaf', 'newer', [], kind)
  if (leaf && lostReceipt(proof, published)) return undecided('leaf', 'replacedKey', facts, proof.leaf)
  if (leaf && proof.logKey === null) return undecided('leaf', 'receiptOnly', facts, proof.leaf)
  const step = compared('leaf', facts, ...differing(signed, proof.leaf))
  return leaf ? step : { ...step, state: 'failed' }
}

function shownStep(leaf: OpenLeaf, shown: Claim): Step {
  return compared('shown', [], ...differing(shownLines(shown), leafLines(leaf)))
}

/** The differing lines of two texts with the same number of lines; otherwise both texts. */
export function differing(left: string, right: string): [string, string] {
  const [a, b] = [left.split('\n'), right.split('\n')]
  if (left === right || a.length !== b.length) return [left, right]
  const at = a.map((_, i) => i).filter((i) => a[i] !== b[i])
  return [at.map((i) => a[i]).join('\n'), at.map((i) => b[i]).join('\n')]
}

/** The response in the leaf's format. */
function shownLines(shown: Claim): string {
  return statement({
    id: shown.openId,
    nonce: shown.nonce,
    pack: shown.packId,
    manifest: shown.manifestHash,
    draw: shown.drawSeq,
    commitment: shown.commitment,
    serverSeed: shown.serverSeedRevealed,
    clientSeed: shown.clientSeed,
    items: shown.items.map(({ id, baseValueCents }) => `${id}:${baseValueCents}`).join(' '),
    price: shown.priceCents,
  })
}

function leafLines({ items, priceCents, ...leaf }: OpenLeaf): string {
  const drawn = items.map(({ id, valueCents }) => `${id}:${valueCents}`).join(' ')
  return statement({ ...leaf, items: drawn, price: priceCents })
}

const stated = [
  'id',
  'nonce',
  'pack',
  'manifest',
  'draw',
  'commitment',
  'serverSeed',
  'clientSeed',
  'items',
  'price',
] as const

function statement(fields: Record<(typeof stated)[number], string | number | bigint>): string {
  return stated.map((name) => `${name} ${fields[name]}`).join('\n')
}

export async function logSteps(proof: Proof): Promise<Step[]> {
  const { logKey, index, inclusionProof, checkpoint } = proof
  if (logKey === null || index === null || inclusionProof === null || checkpoint === null) {
    const why = logKey === null ? 'receiptOnly' : 'waiting'
    return [undecided('inclusion', why, []), undecided('checkpoint', why, [])]
  }
  return [
    await inclusionStep(proof.leaf, index, inclusionProof, checkpoint),
    await signatureStep('checkpoint', checkpoint, logKey),
  ]
}

/** The tree of a proof's checkpoint, if the log key signed it and it has the leaf; otherwise null. */
export async function provenTree(proof: Proof): Promise<Checkpoint | null> {
  const { checkpoint, logKey } = proof
  const tree = parseCheckpoint(parseNote(checkpoint ?? '')?.text ?? '')
  const key = await parseVerifierKey(logKey?.trim() ?? '')
  const isProven = tree?.origin === key?.name && (await logSteps(proof)).every(({ state }) => state === 'ok')
  return isProven ? tree : null
}

async function inclusionStep(leaf: string, index: number, proof: readonly string[], signed: string): Promise<Step> {
  const bytes = utf8(leaf)
  const checkpoint = parseCheckpoint(parseNote(signed)?.text ?? '')
  const hashes = proof.map(fromBase64)
  const path = checkpoint && hashes.every((hash) => hash !== null) ? pathOf(index, checkpoint.size, hashes) : null
  const inputs = [
    fact('leafHash', toHex(await leafHash(bytes))),
    fact('index', index),
    ...(checkpoint ? [fact('size', checkpoint.size), fact('origin', checkpoint.origin)] : []),
    ...(path?.length ? [fact('siblings', path.map(({ hash }) => toHex(hash)).join('\n'))] : []),
  ]
  const root = path ? toHex(await rootOf(bytes, path)) : ''
  const step = compared('inclusion', inputs, checkpoint?.root ?? '', root)
  return path ? step : { ...step, state: 'failed' }
}
