import type { User } from '@/contract/types'
import type { Session } from '@/lib/session'

/** An attempt to connect a wallet and sign in. */
export type Attempt =
  | { stage: 'idle' }
  | { stage: 'connecting' | 'signing'; wallet: string }
  | { stage: 'failed'; wallet: string; error: unknown }

/** The server's user and the wallet's account are independent and may disagree. */
export interface SessionState {
  /** Undefined until the server has answered. */
  user: User | null | undefined
  /** Whether reconnecting the last visit's wallet has finished. */
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

/** Whether the wallet shows a different account than the signed-in one. */
export function hasWalletMismatch({ user, wallet }: SessionState): boolean {
  return !!user && wallet !== null && wallet !== user.walletAddress
}

export function reduce(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'user-known':
      return openOrSettle(state, { ...state, user: event.user })
    case 'wallet-checked':
      return { ...state, walletChecked: true }
    case 'wallet-shows':
      return openOrSettle(state, { ...state, wallet: event.address })
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

/** Closes the dialog after a sign-in, unless the wallet has switched accounts meanwhile. */
function settled(state: SessionState): SessionState {
  return { ...state, dialogOpen: hasWalletMismatch(state), attempt: { stage: 'idle' } }
}

/** Opens the dialog when the wallet switches to another account, and closes it when both agree again. */
function openOrSettle(before: SessionState, after: SessionState): SessionState {
  if (hasWalletMismatch(after)) return hasWalletMismatch(before) ? after : { ...after, dialogOpen: true }
  return after.user && (!before.user || hasWalletMismatch(before)) ? settled(after) : after
}

/** The session as the rest of the app sees it. A signed-in session doesn't wait for the wallet. */
export function viewOf(state: SessionState): Omit<Session, 'connect' | 'logout' | 'sign' | 'refresh'> {
  const { user, wallet, walletChecked } = state
  const loading = user === undefined || (user === null && !walletChecked)
  return {
    status: user ? 'signed-in' : loading ? 'loading' : 'signed-out',
    user: user ?? null,
    address: wallet ?? user?.walletAddress ?? null,
    walletMismatch: hasWalletMismatch(state),
  }
}
