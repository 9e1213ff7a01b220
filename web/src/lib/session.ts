import { createContext, useContext } from 'react'
import type { User } from '@/contract/types'

/** A wallet's signature, as sent to the server. */
export interface TextSignature {
  /** Base58 */
  signature: string
  /** Base64 of the signed bytes, if the wallet returns them. */
  signedMessage?: string
}

/** The visitor's session. features/auth provides it. */
export interface Session {
  status: 'loading' | 'signed-out' | 'signed-in'
  user: User | null
  /** The connected wallet's address. After an account switch it is the new one, even before its sign-in. */
  address: string | null
  /** True while the wallet has another account than the session. Then no act may start. */
  walletMismatch: boolean
  /** Opens the connect dialog. */
  connect: () => void
  logout: () => Promise<void>
  /** Asks the connected wallet to sign a text; rejects if it doesn't. */
  sign: (message: string) => Promise<TextSignature>
  /** Refetches the user. */
  refresh: () => Promise<void>
}

export const SessionContext = createContext<Session>({
  status: 'loading',
  user: null,
  address: null,
  walletMismatch: false,
  connect: () => {},
  logout: () => Promise.resolve(),
  sign: () => Promise.reject(new Error('no wallet')),
  refresh: () => Promise.resolve(),
})

export function useSession(): Session {
  return useContext(SessionContext)
}

/** Whether the visitor's own data may be requested: signed in, and the wallet has the same account. */
export function useSignedIn(): boolean {
  const { status, walletMismatch } = useSession()
  return status === 'signed-in' && !walletMismatch
}
