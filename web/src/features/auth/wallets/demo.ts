import { base58 } from './base58'
import { demoId, type Wallet } from './wallet'
import { localStore } from '@/lib/storage'

/** Local storage key of the demo wallet's key pair (JWK), which guards test points only. */
const storageKey = 'demo-wallet'

async function loadOrCreateKey(): Promise<JsonWebKey> {
  const stored = localStore.getItem(storageKey)
  if (stored) return JSON.parse(stored) as JsonWebKey
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new TypeError('Ed25519 makes key pairs')
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey)
  localStore.setItem(storageKey, JSON.stringify(jwk))
  return jwk
}

/** JWK writes the public key in base64url. */
function addressOf({ x = '' }: JsonWebKey): string {
  const binary = atob(x.replaceAll('-', '+').replaceAll('_', '/'))
  return base58(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}

async function sign(message: string) {
  const bytes = new TextEncoder().encode(message)
  const key = await crypto.subtle.importKey('jwk', await loadOrCreateKey(), { name: 'Ed25519' }, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, key, bytes))
  return { signature, signedMessage: bytes }
}

/**
 * A wallet created in the browser, so that the sandbox works without an extension. It signs like any other wallet; the
 * server treats it the same.
 */
export const demoWallet: Wallet = {
  id: demoId,
  icon: null,
  connect: async () => addressOf(await loadOrCreateKey()),
  disconnect: () => Promise.resolve(),
  sign: ({ message }) => sign(message),
  signText: sign,
  watch: () => () => {},
}

/** Web Crypto needs https or a loopback address. */
export function canMakeDemoWallet(): boolean {
  return globalThis.crypto?.subtle !== undefined
}
