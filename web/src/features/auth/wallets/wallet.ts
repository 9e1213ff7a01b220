import type { Challenge } from '@/api/session'

/** What a wallet gives back for a challenge. */
export interface Signed {
  /** 64 bytes */
  signature: Uint8Array
  /** The bytes that were signed: a Ledger wraps the text in an envelope. Null if the wallet does not say. */
  signedMessage: Uint8Array | null
}

/** A wallet in the browser, however it made itself known. */
export interface Wallet {
  /** The name it goes by, which also tells it from the others: the second of a name has a number. */
  id: string
  /** A data URI, or null if it brings no picture. */
  icon: string | null
  /** Gives the address. `silent` never asks the person, and fails unless the wallet already trusts this page. */
  connect: (options: { silent: boolean }) => Promise<string>
  disconnect: () => Promise<void>
  sign: (challenge: Challenge) => Promise<Signed>
  /** Signs a text as the account of an address. */
  signText: (message: string, address: string) => Promise<Signed>
  /** Tells each account the wallet changes to; null when it disconnects. Returns how to stop. */
  watch: (listener: (address: string | null) => void) => () => void
}

export const phantomId = 'Phantom'
/** Where Phantom is to be had. */
export const phantomInstallPage = 'https://phantom.com/download'
export const demoId = 'demo'

/** A signature has 64 bytes; anything else a wallet says is no answer. */
export function signed(signature: Uint8Array | undefined, signedMessage: Uint8Array | null): Signed {
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

/** Why a wallet did not do what it was asked; the message is the wallet's own, if it gave one. */
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

/** Sorts what a wallet threw into the problems we have words for. */
export function walletError(thrown: unknown): WalletError {
  if (thrown instanceof WalletError) return thrown
  const { code, message } = facts(thrown)
  if (cancelledCodes.includes(code)) return new WalletError('cancelled', message)
  if (code === pendingCode || /already pending/i.test(message)) return new WalletError('pending', message)
  if (/reject|cancel/i.test(message)) return new WalletError('cancelled', message)
  return new WalletError('failed', message)
}

/**
 * Signs in, or where the wallet fails at that signs the challenge as a text: a Ledger knows nothing else. A person who
 * said no is not asked a second time.
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

/** Refuses what a wallet signed in place of our message, alone or at the end of a Ledger's envelope. */
export function checkWording({ signedMessage }: Signed, message: string): void {
  if (!signedMessage) return
  const wanted = new TextEncoder().encode(message)
  const text = signedMessage.subarray(Math.max(0, signedMessage.length - wanted.length))
  if (text.length !== wanted.length || text.some((byte, i) => byte !== wanted[i]))
    throw new WalletError('other-message')
}

/** Wallets throw errors, plain objects and texts. */
function facts(thrown: unknown): { code: unknown; message: string } {
  if (typeof thrown === 'string') return { code: undefined, message: thrown }
  if (typeof thrown !== 'object' || thrown === null) return { code: undefined, message: '' }
  const code = 'code' in thrown ? thrown.code : undefined
  const message = 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : ''
  return { code, message }
}
