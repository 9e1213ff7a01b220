import type { Challenge } from '@/api/session'

/** A wallet's signature of a challenge. */
export interface Signed {
  /** 64 bytes */
  signature: Uint8Array
  /** The signed bytes; null if the wallet doesn't return them. A Ledger adds an envelope around the text. */
  signedMessage: Uint8Array | null
}

/** A browser wallet, independent of how it was detected. */
export interface Wallet {
  /** Display name and unique id; a second wallet of the same name gets a number. */
  id: string
  /** A data URI, or null. */
  icon: string | null
  /** Returns the address. `silent` never prompts, and fails unless the wallet already trusts this page. */
  connect: (options: { silent: boolean }) => Promise<string>
  /** Has the user create a new account, and returns its address. Undefined if that happens in the wallet itself. */
  create?: () => Promise<string>
  disconnect: () => Promise<void>
  sign: (challenge: Challenge) => Promise<Signed>
  /** Signs a text as the account of an address. */
  signText: (message: string, address: string) => Promise<Signed>
  /** Calls the listener with each new account, or null on disconnect. Returns an unsubscribe function. */
  watch: (listener: (address: string | null) => void) => () => void
}

export const phantomId = 'Phantom'
export const phantomInstallPage = 'https://phantom.com/download'
export const demoId = 'demo'
/** The wallet of this site's passkeys, and the list's second entry for it. */
export const passkeyId = 'Kaibao passkey'
export const newPasskeyId = 'Kaibao passkey (new)'

/** Rejects signatures that don't have 64 bytes. */
export function checkedSignature(signature: Uint8Array | undefined, signedMessage: Uint8Array | null): Signed {
  if (signature?.length !== 64) throw new WalletError('invalid-response')
  return { signature, signedMessage }
}

type Problem =
  | 'not-found'
  | 'not-ready'
  | 'cancelled'
  | 'pending'
  | 'invalid-response'
  | 'other-message'
  | 'unavailable'
  | 'failed'
  | 'passkey-exists'
  | 'passkey-cancelled'
  | 'passkey-unusable'
  | 'passkey-unreadable'
  | 'passkey-other'
  | 'passkey-failed'

/** Why a wallet failed, with its own message if it gave one. */
export class WalletError extends Error {
  override readonly name = 'WalletError'

  constructor(
    readonly problem: Problem,
    message = '',
  ) {
    super(message)
  }
}

// EIP-1193 and JSON-RPC codes that Phantom uses. It answers an internal error when its window is closed.
const cancelledCodes: readonly unknown[] = [4001, -32603]
const pendingCode = -32002

/** Maps what a wallet threw to one of our problems. */
export function walletError(thrown: unknown): WalletError {
  if (thrown instanceof WalletError) return thrown
  const { code, message } = errorDetails(thrown)
  if (cancelledCodes.includes(code)) return new WalletError('cancelled', message)
  if (code === pendingCode || /already pending/i.test(message)) return new WalletError('pending', message)
  if (/reject|cancel/i.test(message)) return new WalletError('cancelled', message)
  return new WalletError('failed', message)
}

/**
 * Signs in; if that fails, signs the challenge as text, because a Ledger can only do that. Doesn't ask again after the
 * user has refused.
 */
export async function signInOrText(signIn: () => Promise<Signed>, signText: () => Promise<Signed>): Promise<Signed> {
  try {
    return await signIn()
  } catch (thrown) {
    const error = walletError(thrown)
    if (error.problem !== 'failed') throw error
    return signText()
  }
}

/** Throws unless the signed bytes are our message, optionally in a Ledger's envelope. */
export function assertSignedMessage({ signedMessage }: Signed, message: string): void {
  if (!signedMessage) return
  const expected = new TextEncoder().encode(message)
  const text = signedMessage.subarray(Math.max(0, signedMessage.length - expected.length))
  if (text.length !== expected.length || text.some((byte, i) => byte !== expected[i]))
    throw new WalletError('other-message')
}

/** Wallets throw errors, plain objects and strings. */
function errorDetails(thrown: unknown): { code: unknown; message: string } {
  if (typeof thrown === 'string') return { code: undefined, message: thrown }
  if (typeof thrown !== 'object' || thrown === null) return { code: undefined, message: '' }
  const code = 'code' in thrown ? thrown.code : undefined
  const message = 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : ''
  return { code, message }
}
