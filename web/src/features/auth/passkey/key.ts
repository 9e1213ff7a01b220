import { base58 } from '../wallets/base58'

/** The PRF input and HKDF info. It names the derivation: another text gives every user another wallet. */
const derivationInfo = new TextEncoder().encode('kaibao/passkey-wallet/v1')

/** What passkeys are asked to evaluate. */
export const prfInput = derivationInfo

/** PKCS#8 (RFC 8410) of an Ed25519 private key, up to its 32 bytes. */
const pkcs8Header = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
const seedBytes = 32

/** A wallet's key, which signs but can't be exported. */
export interface WalletKey {
  /** Base58 of the public key */
  address: string
  sign: (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>
}

/** Derives a wallet's key from a passkey's PRF output, and overwrites the output. */
export async function deriveKey(prfOutput: Uint8Array<ArrayBuffer>): Promise<WalletKey> {
  const { key, publicKey } = await withSeed(prfOutput, async (pkcs8) => ({
    publicKey: await publicKeyOf(pkcs8),
    key: await importKey(pkcs8, false),
  }))
  return {
    address: base58(publicKey),
    sign: async (message) => new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, key, message)),
  }
}

/** The address and the secret key as wallets import it: base58 of seed and public key. Overwrites the PRF output. */
export function deriveSecretKey(prfOutput: Uint8Array<ArrayBuffer>): Promise<{ address: string; secretKey: string }> {
  return withSeed(prfOutput, async (pkcs8) => {
    const publicKey = await publicKeyOf(pkcs8)
    const both = new Uint8Array(seedBytes + publicKey.length)
    both.set(pkcs8.subarray(pkcs8Header.length))
    both.set(publicKey, seedBytes)
    const secretKey = base58(both)
    both.fill(0)
    return { address: base58(publicKey), secretKey }
  })
}

/** Calls `act` with the PKCS#8 of the derived seed. Afterwards neither the seed nor the PRF output is in our buffers. */
async function withSeed<T>(
  prfOutput: Uint8Array<ArrayBuffer>,
  act: (pkcs8: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  const pkcs8 = Uint8Array.from([...pkcs8Header, ...new Uint8Array(seedBytes)])
  try {
    const material = await crypto.subtle.importKey('raw', prfOutput, 'HKDF', false, ['deriveBits'])
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: derivationInfo }
    const seed = new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 8 * seedBytes))
    pkcs8.set(seed, pkcs8Header.length)
    seed.fill(0)
    return await act(pkcs8)
  } finally {
    prfOutput.fill(0)
    pkcs8.fill(0)
  }
}

const importKey = (pkcs8: Uint8Array<ArrayBuffer>, extractable: boolean) =>
  crypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, extractable, ['sign'])

/** WebCrypto gives a private key's public half only by exporting it, so this copy of the key is extractable. */
async function publicKeyOf(pkcs8: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', await importKey(pkcs8, true))
  const binary = atob(x.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
