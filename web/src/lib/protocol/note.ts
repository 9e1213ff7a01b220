import { type Bytes, concat, fromBase64, toBase64, toHex, utf8 } from './bytes'
import { sha256 } from './hash'

/**
 * A signed note (C2SP signed-note): a text, a blank line, and signature lines. The signed text includes its last line
 * break.
 */
export interface Note {
  text: string
  signatures: { name: string; keyHash: string; signature: Bytes }[]
}

/** A parsed public key "name+hash+base64". */
export interface VerifierKey {
  name: string
  keyHash: string
  publicKey: Bytes
}

export type Signed =
  | 'valid'
  | 'invalid' // has a signature with this key's name, which is wrong
  | 'absent' // no signature of this key
  | 'unsupported' // this browser doesn't support Ed25519

/** Types of keys: of a log, and of a witness. */
const ED25519 = 1
const COSIGNATURE = 4
const NAME = /^[^\s+]+$/u

/** Parses a signed note; null if invalid. */
export function parseNote(note: string): Note | null {
  const split = note.lastIndexOf('\n\n')
  // Everything except line breaks must be printable, so that people see exactly what was signed.
  if (split < 0 || !note.endsWith('\n') || /[\p{Cc}\uFFFD]/u.test(note.replaceAll('\n', ''))) return null
  const signatures = note
    .slice(split + 2, -1)
    .split('\n')
    .map(parseSignature)
  if (!signatures.every((signature) => signature !== null)) return null
  return { text: note.slice(0, split + 1), signatures }
}

function parseSignature(line: string): Note['signatures'][number] | null {
  const [dash, name = '', base64 = '', ...rest] = line.split(' ')
  const bytes = fromBase64(base64)
  if (dash !== '—' || rest.length > 0 || !NAME.test(name) || !bytes || bytes.length < 5) return null
  return { name, keyHash: toHex(bytes.slice(0, 4)), signature: bytes.slice(4) }
}

/** Parses a log's verifier key and checks its hash; null if invalid. */
export function parseVerifierKey(text: string): Promise<VerifierKey | null> {
  return parseKey(text, ED25519)
}

/** Parses a witness's verifier key and checks its hash; null if invalid. */
export function parseWitnessKey(text: string): Promise<VerifierKey | null> {
  return parseKey(text, COSIGNATURE)
}

async function parseKey(text: string, type: number): Promise<VerifierKey | null> {
  const [, name = '', keyHash = '', base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? []
  const key = fromBase64(base64)
  if (!key || key.length !== 33 || key[0] !== type) return null
  return (await hashOf(name, key)) === keyHash ? { name, keyHash, publicKey: key.slice(1) } : null
}

async function hashOf(name: string, key: Bytes): Promise<string> {
  return toHex((await sha256(concat(utf8(`${name}\n`), key))).slice(0, 4))
}

/** The verifier key of a log with this name and public key. */
export async function verifierKey(name: string, publicKey: Bytes): Promise<string> {
  const key = concat(Uint8Array.of(ED25519), publicKey)
  return `${name}+${await hashOf(name, key)}+${toBase64(key)}`
}

/** Whether this key signed this note. */
export async function verifyNote(note: Note, key: VerifierKey): Promise<Signed> {
  const own = note.signatures.find(hasKey(key))
  return own ? verifySignature(key, own.signature, note.text) : 'absent'
}

/** Finds the signature of a key. */
export const hasKey =
  (key: VerifierKey) =>
  ({ name, keyHash }: Note['signatures'][number]): boolean =>
    name === key.name && keyHash === key.keyHash

/** Whether this key made this signature of a text. */
export async function verifySignature(
  key: VerifierKey,
  signature: Bytes,
  text: string,
): Promise<Exclude<Signed, 'absent'>> {
  const imported = await importEd25519(key.publicKey)
  if (!imported) return 'unsupported'
  const valid = await crypto.subtle.verify('Ed25519', imported, signature, utf8(text))
  return valid ? 'valid' : 'invalid'
}

async function importEd25519(publicKey: Bytes): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  } catch {
    return null
  }
}
