import { type Bytes, concat, u8, utf8 } from './bytes'

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** Returns a function that computes HMAC-SHA-256 with a key. */
export async function hmac(key: Bytes): Promise<(message: Bytes) => Promise<Bytes>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (message) => new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
}

/** Prefixes data with a domain tag: ASCII text and a zero byte. */
export function tagged(tag: string, ...parts: readonly Uint8Array[]): Bytes {
  return concat(utf8(tag), u8(0), ...parts)
}

/** The commitment: SHA-256("kaibao/v1/seed" ‖ 0 ‖ serverSeed). The server shows it before it knows the client seed. */
export function commitmentOf(serverSeed: Bytes): Promise<Bytes> {
  return sha256(tagged('kaibao/v1/seed', serverSeed))
}
