import { createContext, useContext } from 'react'
import type { User } from '@/contract/types'

/** What a wallet signed, as calls carry it. */
export interface TextSignature {
  /** Base58 */
  signature: string
  /** Base64 of the bytes, where the wallet says. */
  signedMessage?: string
}

/** Who is at the screen. features/identity provides it; everybody else only reads it. */
export interface Session {
  status: 'loading' | 'signed-out' | 'signed-in'
  user: User | null
  /** The connected wallet's address; after an account change it is the new one, before its sign-in. */
  address: string | null
  /** True while the wallet shows another account than the session's: nothing that moves money may start. */
  frozen: boolean
  /** Opens the connect dialog. */
  connect: () => void
  logout: () => Promise<void>
  /** Has the connected wallet sign a text; rejects where it does not. */
  sign: (message: string) => Promise<TextSignature>
  /** Reads the user afresh. */
  refresh: () => Promise<void>
}

export const SessionContext = createContext<Session>({
  status: 'loading',
  user: null,
  address: null,
  frozen: false,
  connect: () => {},
  logout: () => Promise.resolve(),
  sign: () => Promise.reject(new Error('no wallet')),
  refresh: () => Promise.resolve(),
})

export function useSession(): Session {
  return useContext(SessionContext)
}

/** Whether what is the visitor's own may be asked for: somebody is signed in, as the account at the screen. */
export function useSignedIn(): boolean {
  const { status, frozen } = useSession()
  return status === 'signed-in' && !frozen
}
