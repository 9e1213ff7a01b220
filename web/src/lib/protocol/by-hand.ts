import { chainHash, quicknet } from './beacon'
import { type Bytes, concat, fromBase64, fromHex, toBase64, toHex, u16, u32, u64, u8, utf8 } from './bytes'
import { cosignaturesOf, openCosigned } from './cosignature'
import { type DrawInputs, type DrawnItem, draw, drawKey, drawTiers, type Roll } from './draw'
import { parseOpenLeaf } from './leaf'
import { type Manifest, parseManifest } from './manifest'
import { type Checkpoint, consistencyPath, parseCheckpoint, pathOf, type Sibling } from './merkle'
import { hasKey, type Note, parseNote, parseVerifierKey, type VerifierKey } from './note'
import { type IncludedLeaf, isIncluded, type Proof } from './report'
import { parseRoundLeaf, parseSealedOpenLeaf, type SealedOpenLeaf } from './sealed'
import type { DrawnLeaf } from './verify-draw'
import { drawnLeaf, findOrder } from './verify-sealed'

/** A shell command. It may use results of earlier ones. */
export interface Command {
  id:
    | 'tools'
    | 'commitment'
    | 'manifest'
    | 'order'
    | 'beacon'
    | 'key'
    | 'tierRoll'
    | 'cardRoll'
    | 'receipt'
    | 'inclusion'
    | 'checkpoint'
    | 'orderInclusion'
    | 'cosignature'
    | 'consistency'
  /** Which item, from 0, for rolls. */
  item?: number
  /** Who cosigned, and when. */
  witness?: { name: string; time: number }
  text: string
  /** The expected beginning of the output; empty for commands that print nothing. */
  prints: string
}

/** File name of the downloaded manifest, as the commands expect it. */
export function manifestFile(hash: string): string {
  return `kaibao-manifest-${hash.slice(0, 12)}.txt`
}

const sha256 = 'openssl dgst -sha256 -r'
const hmac = (key: string) => `${sha256} -mac HMAC -macopt hexkey:${key}`
const verified = 'Signature Verified Successfully'

// `hex` decodes hex digits. `mod` computes a roll from a hash's first 64 bits, in two steps because shell integers have 63.
const tools = `hex() { openssl asn1parse -genstr "FORMAT:HEX,OCT:$1" -noout -out /dev/stdout | tail -c $((\${#1} / 2)); }
mod() { echo $(( (0x$(echo "$1" | cut -c 1-8) % $2 * (4294967296 % $2) + 0x$(echo "$1" | cut -c 9-16)) % $2 )); }`

/** The largest number of sides \`mod\` can roll without an overflow. */
const maxSides = 1n << 31n

/**
 * The verification of a proof as commands for a POSIX shell with OpenSSL 3. Only values that passed a strict parser are
 * inserted, so that a forged proof can't inject commands; null if a value didn't pass. `witnesses` are those that the
 * visitor trusts.
 */
export async function byHand(
  proof: Proof,
  manifest: Bytes,
  witnesses: readonly VerifierKey[] = [],
): Promise<Command[] | null> {
  const open = parseSealedOpenLeaf(proof.leaf)
  const order = open && (await findOrder(proof, {}))
  const leaf = open ? order?.hash === open.order && drawnLeaf(open, order) : parseOpenLeaf(proof.leaf)
  const key = await parseVerifierKey(proof.logKey?.trim() ?? '')
  const table = tryManifest(manifest)
  if (!leaf || !key || !table) return null
  const drawing = await drawCommands(
    leaf,
    table,
    open && [...orderCommand(proof), ...(await beaconCommand(open, table))],
  )
  const receipt = signatureCommand('receipt', proof.receipt, key)
  if (!receipt || parseNote(proof.receipt)?.text !== proof.leaf) return null
  const log = logCommands(proof, key)
  const fixed = open && log.length > 0 ? await fixedCommands(proof, open, witnesses) : []
  return [{ id: 'tools', text: tools, prints: '' }, ...drawing, receipt, ...log, ...fixed]
}

/** `sealing` are the commands of a sealed open's order and round. */
async function drawCommands(leaf: DrawnLeaf, manifest: Manifest, sealing: Command[] | null): Promise<Command[]> {
  const inputs: DrawInputs = {
    manifest,
    manifestHash: fromHex(leaf.manifest, 32)!,
    serverSeed: fromHex(leaf.serverSeed, 32)!,
    clientSeed: leaf.clientSeed,
    nonce: leaf.nonce,
    ...(leaf.sealed && { sealed: leaf.sealed }),
  }
  const seed = utf8(leaf.clientSeed)
  const message = `hex ${toHex(concat(inputs.manifestHash, u64(leaf.nonce), u16(seed.length), seed))}`
  const key = toHex(await drawKey(inputs))
  const drawn: Pick<DrawnItem, 'tierRoll'>[] = (leaf.draw === 0n ? await draw(inputs) : await drawTiers(inputs)) ?? []
  const signed = leaf.sealed && toHex(leaf.sealed.signature)
  const text = leaf.sealed
    ? `s=$(hex ${signed} | ${sha256} | cut -c 1-64)
{ printf 'kaibao/v2/draw\\0'; ${message}; hex ${toHex(leaf.sealed.orderHash)}; hex $s; }`
    : `{ printf 'kaibao/v1/draw\\0'; ${message}; }`
  return [
    {
      id: 'commitment',
      text: `{ printf 'kaibao/v1/seed\\0'; hex ${leaf.serverSeed}; } | ${sha256}`,
      prints: leaf.commitment,
    },
    { id: 'manifest', text: `${sha256} ${manifestFile(leaf.manifest)}`, prints: leaf.manifest },
    ...(sealing ?? []),
    { id: 'key', text: `${text} | ${hmac(leaf.serverSeed)}`, prints: key },
    ...drawn.flatMap((rolls, item) => rollCommands(rolls, item, key)),
  ]
}

const orderFile = 'kaibao-order.txt'

/** The order's leaf has passed its parser, so no line of it can end the here-document. */
function orderCommand({ leaf, order }: Proof): Command[] {
  const text = `cat > ${orderFile} <<'EOF'
${order?.leaf}EOF
${sha256} ${orderFile}`
  return [{ id: 'order', text, prints: parseSealedOpenLeaf(leaf)?.order ?? '' }]
}

/** Asks drand for the round. OpenSSL can't check its signatures. */
async function beaconCommand({ round, signature }: SealedOpenLeaf, { sealing }: Manifest): Promise<Command[]> {
  if (sealing === null || sealing.beacon !== (await chainHash(quicknet))) return []
  const url = `https://api.drand.sh/${sealing.beacon}/public/${round}`
  return [
    { id: 'beacon', text: `curl -s ${url} | grep -o '"signature":"[0-9a-f]*"'`, prints: `"signature":"${signature}"` },
  ]
}

function tryManifest(bytes: Bytes) {
  try {
    return parseManifest(bytes)
  } catch {
    return null
  }
}

function rollCommands(rolls: Partial<DrawnItem>, item: number, key: string): Command[] {
  const command = (id: 'tierRoll' | 'cardRoll', purpose: number, roll: Roll | undefined): Command[] => {
    if (!roll || roll.sides >= maxSides) return []
    const block = toHex(concat(u32(item), u8(purpose), u32(roll.counter)))
    return [{ id, item, text: `mod "$(hex ${block} | ${hmac(key)})" ${roll.sides}`, prints: String(roll.value) }]
  }
  return [...command('tierRoll', 0, rolls.tierRoll), ...command('cardRoll', 1, rolls.cardRoll)]
}

/** Writes a note's text, signature and key to files and verifies them with OpenSSL. */
function signatureCommand(id: 'receipt' | 'checkpoint', signed: string, key: VerifierKey): Command | null {
  const note = parseNote(signed)
  const own = note?.signatures.find(hasKey(key))
  if (!note || !own) return null
  const file = id === 'receipt' ? 'kaibao-leaf' : 'kaibao-checkpoint'
  const text = `cat > ${file}.txt <<'EOF'
${note.text}EOF
${verifyCommand(file, own.signature, key)}`
  return { id, text, prints: verified }
}

/** Verifies a key's signature of a file. */
function verifyCommand(file: string, signature: Bytes, key: VerifierKey): string {
  // An Ed25519 public key as OpenSSL reads it (RFC 8410) is this prefix and the key.
  const publicKey = `302a300506032b6570032100${toHex(key.publicKey)}`
  return `hex ${publicKey} > kaibao-key.der
hex ${toHex(signature)} > ${file}.sig
openssl pkeyutl -verify -pubin -keyform DER -inkey kaibao-key.der -rawin -in ${file}.txt -sigfile ${file}.sig`
}

/** A checkpoint's text, if it can be inserted into a here-document: it has three lines, and none can end it. */
function plainCheckpoint(signed: string): { text: string; state: Checkpoint } | null {
  const text = parseNote(signed)?.text ?? ''
  const state = parseCheckpoint(text)
  return state && state.origin !== 'EOF' && text.split('\n').length === 4 ? { text, state } : null
}

const base64Of = (root: string) => toBase64(fromHex(root, 32)!)

const hashInto = (name: string, bytes: string) => `${name}=$({ ${bytes}; } | ${sha256} | cut -c 1-64)`

/** The hash of a node and its sibling. */
function climb(name: string, { side, hash }: Sibling): string {
  const beside = `hex ${toHex(hash)}`
  return hashInto(name, `printf '\\1'; ${side === 'left' ? `${beside}; hex $${name}` : `hex $${name}; ${beside}`}`)
}

function inclusionCommand(
  id: 'inclusion' | 'orderInclusion',
  file: string,
  { index, inclusionProof }: Pick<IncludedLeaf, 'index' | 'inclusionProof'>,
  { size, root }: Checkpoint,
): Command | null {
  const hashes = inclusionProof.map(fromBase64)
  const path = hashes.every((hash) => hash !== null) ? pathOf(index, size, hashes) : null
  if (!path) return null
  const lines = [
    hashInto('h', `printf '\\0'; cat ${file}`),
    ...path.map((sibling) => climb('h', sibling)),
    'hex $h | openssl base64',
  ]
  return { id, text: lines.join('\n'), prints: base64Of(root) }
}

function logCommands({ index, inclusionProof, checkpoint }: Proof, key: VerifierKey): Command[] {
  const plain = plainCheckpoint(checkpoint ?? '')
  if (!plain || checkpoint === null || index === null || inclusionProof === null) return []
  const inclusion = inclusionCommand('inclusion', 'kaibao-leaf.txt', { index, inclusionProof }, plain.state)
  const signature = signatureCommand('checkpoint', checkpoint, key)
  return inclusion && signature ? [inclusion, signature] : []
}

/** The order's place in the log, the witnesses' cosignatures of an earlier tree, and that the log continues this tree. */
async function fixedCommands(
  { order, round, consistency, checkpoint, logKey }: Proof,
  open: SealedOpenLeaf,
  witnesses: readonly VerifierKey[],
): Promise<Command[]> {
  const leaf = parseRoundLeaf(round?.leaf ?? '')
  const [tree, fixed] = [plainCheckpoint(checkpoint ?? ''), plainCheckpoint(leaf?.checkpoint ?? '')]
  if (!isIncluded(order) || !tree || !fixed || !leaf || leaf.round !== open.round) return []
  const signed = await openCosigned(leaf.checkpoint, logKey ?? '', witnesses)
  const included = inclusionCommand('orderInclusion', orderFile, order, tree.state)
  const continued = consistencyCommand(fixed.state, tree.state, consistency ?? [])
  if (typeof signed === 'string' || !included || !continued) return []
  const note = parseNote(leaf.checkpoint)!
  const cosignatures = witnesses.flatMap((key) => cosignatureCommand(fixed.text, note, key))
  return [included, ...(cosignatures.length > 0 ? [...cosignatures, continued] : [])]
}

/** The last second that dates have. */
const lastTime = 8_640_000_000_000n

function cosignatureCommand(text: string, { signatures }: Note, key: VerifierKey): Command[] {
  const line = signatures.find(hasKey(key))
  const [cosignature] = line ? cosignaturesOf({ text, signatures: [line] }) : []
  if (!line || !cosignature || cosignature.time <= 0n || cosignature.time > lastTime) return []
  const time = Number(cosignature.time)
  const write = `{ printf 'cosignature/v1\\ntime ${time}\\n'; cat <<'EOF'
${text}EOF
} > kaibao-cosigned.txt`
  return [
    {
      id: 'cosignature',
      witness: { name: key.name, time },
      text: `${write}\n${verifyCommand('kaibao-cosigned', line.signature.slice(8), key)}`,
      prints: verified,
    },
  ]
}

/** Prints the roots of both trees. */
function consistencyCommand(first: Checkpoint, second: Checkpoint, proof: readonly string[]): Command | null {
  const hashes = proof.map(fromBase64)
  const path = hashes.every((hash) => hash !== null) ? consistencyPath(first.size, second.size, hashes) : null
  if (!path) return null
  const lines = [
    `o=${path.start ? toHex(path.start) : first.root}`,
    'h=$o',
    ...path.steps.flatMap((sibling) => [
      ...(sibling.side === 'left' ? [climb('o', sibling)] : []),
      climb('h', sibling),
    ]),
    'echo $(hex $o | openssl base64) $(hex $h | openssl base64)',
  ]
  return { id: 'consistency', text: lines.join('\n'), prints: `${base64Of(first.root)} ${base64Of(second.root)}` }
}
