import { type Bytes, concat, u8, utf8 } from './bytes'

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** HMAC-SHA-256 under one key, for as many messages as are needed. */
export async function hmac(key: Bytes): Promise<(message: Bytes) => Promise<Bytes>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (message) => new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
}

/** A domain tag: its ASCII text followed by one zero byte, then the rest. */
export function tagged(tag: string, ...parts: readonly Uint8Array[]): Bytes {
  return concat(utf8(tag), u8(0), ...parts)
}

/** C = SHA-256("kaibao/v1/seed" ‖ 0 ‖ serverSeed): what the server shows before it knows the client's entropy. */
export function commitmentOf(serverSeed: Bytes): Promise<Bytes> {
  return sha256(tagged('kaibao/v1/seed', serverSeed))
}
