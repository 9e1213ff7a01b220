import type { Challenge } from '@/api/session'
import { WalletError, phantomId, checkedSignature, signInOrText, walletError, type Wallet } from './wallet'

interface PublicKey {
  toString: () => string
}

/** Phantom's API at `window.phantom.solana`. Parts are missing while it loads. */
interface PhantomProvider {
  connect?: (options?: { onlyIfTrusted: boolean }) => Promise<{ publicKey?: PublicKey | null } | undefined>
  disconnect: () => Promise<void>
  signIn?: (input: Challenge['input']) => Promise<{ signature: Uint8Array; signedMessage: Uint8Array }>
  signMessage: (message: Uint8Array, display: 'utf8') => Promise<{ signature: Uint8Array }>
  on: (event: 'accountChanged' | 'disconnect', listener: (publicKey?: PublicKey | null) => void) => void
  off: (event: 'accountChanged' | 'disconnect', listener: (publicKey?: PublicKey | null) => void) => void
}

declare global {
  interface Window {
    phantom?: { solana?: PhantomProvider }
  }
}

export function isPhantomPresent(): boolean {
  return window.phantom !== undefined
}

export function isPhantomReady(): boolean {
  return typeof window.phantom?.solana?.connect === 'function'
}

function provider(): PhantomProvider {
  const found = window.phantom?.solana
  if (!found) throw new WalletError('unavailable')
  return found
}

async function connect({ silent }: { silent: boolean }): Promise<string> {
  const phantom = provider()
  if (!phantom.connect) throw new WalletError('unavailable')
  const response = await (silent ? phantom.connect({ onlyIfTrusted: true }) : phantom.connect())
  if (!response?.publicKey) throw new WalletError('invalid-response')
  return response.publicKey.toString()
}

async function sign({ input, message }: Challenge) {
  const phantom = provider()
  const { signIn } = phantom
  if (!signIn) return signText(message)
  return signInOrText(
    async () => {
      const answer = await signIn.call(phantom, input)
      return checkedSignature(answer.signature, answer.signedMessage)
    },
    () => signText(message),
  )
}

async function signText(message: string) {
  const answer = await provider().signMessage(new TextEncoder().encode(message), 'utf8')
  return checkedSignature(answer.signature, null)
}

function watch(listener: (address: string | null) => void): () => void {
  const phantom = provider()
  const changed = (publicKey?: PublicKey | null) => listener(publicKey?.toString() ?? null)
  const disconnected = () => listener(null)
  phantom.on('accountChanged', changed)
  phantom.on('disconnect', disconnected)
  return () => {
    phantom.off('accountChanged', changed)
    phantom.off('disconnect', disconnected)
  }
}

/** Phantom through its own API, looked up on each call because it may load late or disappear. */
export const injectedPhantom: Wallet = {
  id: phantomId,
  icon: null,
  connect: (options) => connect(options).catch(rethrow),
  disconnect: () => provider().disconnect(),
  sign: (challenge) => sign(challenge).catch(rethrow),
  signText: (message) => signText(message).catch(rethrow),
  watch,
}

function rethrow(thrown: unknown): never {
  throw walletError(thrown)
}
