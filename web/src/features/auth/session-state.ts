import type { User } from '@/contract/types'
import type { Session } from '@/lib/session'

/** One try to connect a wallet and sign in. */
export type Attempt =
  | { stage: 'idle' }
  | { stage: 'connecting' | 'signing'; wallet: string }
  | { stage: 'failed'; wallet: string; error: unknown }

/** Two facts that come from two places: who the server says is signed in, and what the wallet shows. */
export interface SessionState {
  /** Undefined until the server has answered. */
  user: User | null | undefined
  /** Whether the search for the wallet of the last visit is over. */
  walletChecked: boolean
  /** The connected wallet's address. */
  wallet: string | null
  dialogOpen: boolean
  attempt: Attempt
}

export type SessionEvent =
  | { type: 'user-known'; user: User | null }
  | { type: 'wallet-checked' }
  | { type: 'wallet-shows'; address: string | null }
  | { type: 'dialog-opened' }
  | { type: 'dialog-closed' }
  | { type: 'connecting'; wallet: string }
  | { type: 'signing'; wallet: string }
  | { type: 'attempt-failed'; wallet: string; error: unknown }
  | { type: 'signed-in'; user: User }

export const initialState: SessionState = {
  user: undefined,
  walletChecked: false,
  wallet: null,
  dialogOpen: false,
  attempt: { stage: 'idle' },
}

/** True while the wallet shows another account than the one that signed in. */
export function isFrozen({ user, wallet }: SessionState): boolean {
  return !!user && wallet !== null && wallet !== user.walletAddress
}

export function reduce(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'user-known':
      return askOrRelease(state, { ...state, user: event.user })
    case 'wallet-checked':
      return { ...state, walletChecked: true }
    case 'wallet-shows':
      return askOrRelease(state, { ...state, wallet: event.address })
    case 'dialog-opened':
      return { ...state, dialogOpen: true, attempt: { stage: 'idle' } }
    case 'dialog-closed':
      return { ...state, dialogOpen: false, attempt: { stage: 'idle' } }
    case 'connecting':
    case 'signing':
      return { ...state, attempt: { stage: event.type, wallet: event.wallet } }
    case 'attempt-failed':
      return { ...state, attempt: { stage: 'failed', wallet: event.wallet, error: event.error } }
    case 'signed-in':
      return settled({ ...state, user: event.user })
  }
}

/** After a sign-in the dialog goes, unless the wallet has changed accounts meanwhile. */
function settled(state: SessionState): SessionState {
  return { ...state, dialogOpen: isFrozen(state), attempt: { stage: 'idle' } }
}

/** A wallet that changed accounts asks for a sign-in; once both sides agree there is nothing to ask. */
function askOrRelease(before: SessionState, after: SessionState): SessionState {
  if (isFrozen(after)) return isFrozen(before) ? after : { ...after, dialogOpen: true }
  return after.user && (!before.user || isFrozen(before)) ? settled(after) : after
}

/** What the rest of the app gets to see. A living session never waits for the wallet. */
export function viewOf(state: SessionState): Omit<Session, 'connect' | 'logout' | 'sign' | 'refresh'> {
  const { user, wallet, walletChecked } = state
  const loading = user === undefined || (user === null && !walletChecked)
  return {
    status: user ? 'signed-in' : loading ? 'loading' : 'signed-out',
    user: user ?? null,
    address: wallet ?? user?.walletAddress ?? null,
    frozen: isFrozen(state),
  }
}
