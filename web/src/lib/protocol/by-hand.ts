import { type Bytes, concat, fromBase64, fromHex, toBase64, toHex, u16, u32, u64, u8, utf8 } from './bytes'
import { type DrawnItem, draw, drawKey, drawTiers, type Roll } from './draw'
import { type OpenLeaf, parseOpenLeaf } from './leaf'
import { parseManifest } from './manifest'
import { parseCheckpoint, pathOf } from './merkle'
import { parseNote, parseVerifierKey, type VerifierKey } from './note'
import type { Proof } from './report'

/** A shell command. It may use results of earlier ones. */
export interface Command {
  id: 'tools' | 'commitment' | 'manifest' | 'key' | 'tierRoll' | 'cardRoll' | 'receipt' | 'inclusion' | 'checkpoint'
  /** Which item, from 0, for rolls. */
  item?: number
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
 * inserted, so that a forged proof can't inject commands; null if a value didn't pass.
 */
export async function byHand(proof: Proof, manifest: Bytes): Promise<Command[] | null> {
  const leaf = parseOpenLeaf(proof.leaf)
  const key = await parseVerifierKey(proof.logKey?.trim() ?? '')
  const drawing = leaf && (await drawCommands(leaf, manifest))
  const receipt = key && signatureCommand('receipt', proof.receipt, key)
  if (!drawing || !receipt || parseNote(proof.receipt)?.text !== proof.leaf) return null
  return [{ id: 'tools', text: tools, prints: '' }, ...drawing, receipt, ...logCommands(proof, key)]
}

async function drawCommands(leaf: OpenLeaf, manifest: Bytes): Promise<Command[] | null> {
  const inputs = {
    manifest: tryManifest(manifest),
    manifestHash: fromHex(leaf.manifest, 32)!,
    serverSeed: fromHex(leaf.serverSeed, 32)!,
    clientSeed: leaf.clientSeed,
    nonce: leaf.nonce,
  }
  if (!inputs.manifest) return null
  const table = { ...inputs, manifest: inputs.manifest }
  const seed = utf8(leaf.clientSeed)
  const message = toHex(concat(inputs.manifestHash, u64(leaf.nonce), u16(seed.length), seed))
  const key = toHex(await drawKey(inputs))
  const drawn: Pick<DrawnItem, 'tierRoll'>[] = (leaf.draw === 0n ? await draw(table) : await drawTiers(table)) ?? []
  return [
    {
      id: 'commitment',
      text: `{ printf 'kaibao/v1/seed\\0'; hex ${leaf.serverSeed}; } | ${sha256}`,
      prints: leaf.commitment,
    },
    { id: 'manifest', text: `${sha256} ${manifestFile(leaf.manifest)}`, prints: leaf.manifest },
    { id: 'key', text: `{ printf 'kaibao/v1/draw\\0'; hex ${message}; } | ${hmac(leaf.serverSeed)}`, prints: key },
    ...drawn.flatMap((rolls, item) => rollCommands(rolls, item, key)),
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
  const own = note?.signatures.find(({ name, keyHash }) => name === key.name && keyHash === key.keyHash)
  if (!note || !own) return null
  const file = id === 'receipt' ? 'kaibao-leaf' : 'kaibao-checkpoint'
  // An Ed25519 public key as OpenSSL reads it (RFC 8410) is this prefix and the key.
  const publicKey = `302a300506032b6570032100${toHex(key.publicKey)}`
  const text = `cat > ${file}.txt <<'EOF'
${note.text}EOF
hex ${publicKey} > kaibao-key.der
hex ${toHex(own.signature)} > ${file}.sig
openssl pkeyutl -verify -pubin -keyform DER -inkey kaibao-key.der -rawin -in ${file}.txt -sigfile ${file}.sig`
  return { id, text, prints: verified }
}

function logCommands({ index, inclusionProof, checkpoint }: Proof, key: VerifierKey): Command[] {
  const text = parseNote(checkpoint ?? '')?.text ?? ''
  const state = parseCheckpoint(text)
  const hashes = inclusionProof?.map(fromBase64) ?? []
  // Only a text of three lines is inserted into the here-document, so that no line can end it.
  const plain = state && state.origin !== 'EOF' && text.split('\n').length === 4
  if (!plain || checkpoint === null || index === null || !hashes.every((hash) => hash !== null)) return []
  const path = pathOf(index, state.size, hashes)
  const signature = signatureCommand('checkpoint', checkpoint, key)
  if (!path || !signature) return []
  const hash = (bytes: string) => `h=$({ ${bytes}; } | ${sha256} | cut -c 1-64)`
  const steps = path.map(({ side, hash: sibling }) => {
    const beside = `hex ${toHex(sibling)}`
    return hash(`printf '\\1'; ${side === 'left' ? `${beside}; hex $h` : `hex $h; ${beside}`}`)
  })
  const climb = [hash("printf '\\0'; cat kaibao-leaf.txt"), ...steps, 'hex $h | openssl base64']
  const root = toBase64(fromHex(state.root, 32)!)
  return [{ id: 'inclusion', text: climb.join('\n'), prints: root }, signature]
}
