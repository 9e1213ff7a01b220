/** Bytes in a plain ArrayBuffer, as Web Crypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
// A byte order mark is content: the hash covers it, so decoding must not drop it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function utf8(text: string): Bytes {
  return encoder.encode(text)
}

/** Decodes UTF-8 strictly; null when the bytes are not valid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    result.set(part, offset)
    offset += part.length
  }
  return result
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Reads lower-case hex of exactly `length` bytes; null for anything else. */
export function fromHex(text: string, length: number): Bytes | null {
  if (text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) return null
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16))
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Reads standard, padded base64 in its one canonical form; null for anything else. */
export function fromBase64(text: string): Bytes | null {
  let binary: string
  try {
    binary = atob(text)
  } catch {
    return null
  }
  // atob accepts white space, missing padding and stray trailing bits; signed texts must not contain them.
  if (btoa(binary) !== text) return null
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

/** Big-endian unsigned integers of 1, 2, 4 and 8 bytes. */
export function u8(value: number): Bytes {
  return Uint8Array.of(value)
}

export function u16(value: number): Bytes {
  const bytes = new Uint8Array(2)
  new DataView(bytes.buffer).setUint16(0, value)
  return bytes
}

export function u32(value: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

export function u64(value: bigint): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}

export function readU64(bytes: Bytes): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
}
