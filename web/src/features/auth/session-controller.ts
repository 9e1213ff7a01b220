import type { Challenge, SignedChallenge } from '@/api/session'
import type { User } from '@/contract/types'
import type { TextSignature } from '@/lib/session'
import { createStore, type Store } from '@/lib/store'
import { initialState, reduce, type SessionEvent, type SessionState } from './session-state'
import { base58, base64 } from './wallets/base58'
import type { WalletDirectory } from './wallets/directory'
import type { WalletMemory } from './wallets/memory'
import { pause } from './wallets/wait'
import { checkWording, WalletError, type Signed, type Wallet } from './wallets/wallet'

const longestCheck = 10_000

/** What the session needs of the world; tests bring their own. */
export interface SessionWorld {
  wallets: Pick<WalletDirectory, 'recall' | 'choose'>
  server: {
    user: () => Promise<User | null>
    challenge: (address: string) => Promise<Challenge>
    verify: (signed: SignedChallenge) => Promise<User>
    logout: () => Promise<void>
  }
  memory: WalletMemory
  /** Whether the page came with a session's cookie. Without one the first question is answered already. */
  cookie: boolean
  /** Tells the other tabs that something changed, and hears it from them. */
  tabs: { send: () => void; subscribe: (listener: () => void) => () => void }
}

export interface SessionController {
  state: Store<SessionState>
  /** Asks the server who is signed in and looks for the last visit's wallet, side by side. */
  start: () => () => void
  openDialog: () => void
  closeDialog: () => void
  /** Connects a wallet and signs in with it. A failure stands in the state, and is what the promise gives. */
  signIn: (walletId: string) => Promise<unknown>
  /** Ends the session here, in the wallet and in the other tabs; rejects if the server cannot be told. */
  logout: () => Promise<void>
  /** Has the connected wallet sign a text; a WalletError where it does not. */
  sign: (message: string) => Promise<TextSignature>
  /** Asks the server again who is signed in. */
  refresh: () => Promise<void>
}

export function createSessionController(world: SessionWorld): SessionController {
  const { wallets, server, memory, cookie, tabs } = world
  const state = createStore<SessionState>({
    ...initialState,
    // Known from the start, so that the page is drawn once for who comes with nothing.
    ...(!cookie && { user: null }),
    walletChecked: !memory.isSet(),
  })
  const dispatch = (event: SessionEvent) => state.set(reduce(state.get(), event))

  // Each counts the beginnings of one kind of errand; what comes back after a newer one began is stale.
  let attempt = 0
  let connection = 0
  let question = 0
  let wallet: Wallet | null = null
  let unwatch = () => {}

  async function refresh(): Promise<void> {
    question += 1
    const asked = question
    const before = state.get().user
    // Without an answer, or when the stored wallet is not the session's, what is known stays.
    const user = await server.user().catch(() => before ?? null)
    if (asked === question) dispatch({ type: 'user-known', user })
  }

  function attach(next: Wallet, address: string): void {
    connection += 1
    unwatch()
    wallet = next
    unwatch = next.watch((changed) => void walletChanged(changed))
    show(address)
  }

  function show(address: string): void {
    if (wallet) memory.set(wallet.id, address)
    dispatch({ type: 'wallet-shows', address })
  }

  function detach(): void {
    connection += 1
    unwatch()
    unwatch = () => {}
    wallet = null
    dispatch({ type: 'wallet-shows', address: null })
  }

  async function walletChanged(address: string | null): Promise<void> {
    if (address !== null) return address === state.get().wallet ? undefined : show(address)
    await signOut().catch(() => {
      // The server still counts the visitor as signed in, but the wallet is gone either way.
      memory.clear()
      detach()
    })
  }

  /** Connects the wallet of the last visit without asking. A living session does not depend on it. */
  async function restore(): Promise<void> {
    const current = connection
    try {
      const found = await wallets.recall(memory.id())
      if (!found) throw new WalletError('not-found')
      const address = await found.connect({ silent: true })
      if (current === connection) attach(found, address)
    } catch {
      if (current !== connection) return
      memory.clear()
      // The forgotten address may have hidden a session of another account from the server's answer.
      if (!state.get().user && cookie) await refresh()
    }
  }

  /** A locked wallet may keep its answer back until somebody unlocks it; the page does not wait for that. */
  async function check(): Promise<void> {
    if (!memory.isSet()) return
    await Promise.race([restore(), pause(longestCheck)])
    dispatch({ type: 'wallet-checked' })
  }

  async function signIn(walletId: string): Promise<unknown> {
    attempt += 1
    const current = attempt
    dispatch({ type: 'connecting', wallet: walletId })
    try {
      await connectAndProve(walletId, () => current === attempt)
    } catch (error) {
      if (current !== attempt) return null
      dispatch({ type: 'attempt-failed', wallet: walletId, error })
      return error
    }
    return null
  }

  async function connectAndProve(walletId: string, isCurrent: () => boolean): Promise<void> {
    const chosen = await wallets.choose(walletId)
    const address = await chosen.connect({ silent: false })
    if (!isCurrent()) return
    attach(chosen, address)
    // The wallet went back to the account that is signed in: there is nothing left to prove.
    if (state.get().user?.walletAddress === address) return dispatch({ type: 'dialog-closed' })
    dispatch({ type: 'signing', wallet: walletId })
    const challenge = await server.challenge(address)
    const answer = await chosen.sign(challenge)
    checkWording(answer, challenge.message)
    const proof = proofOf(address, answer)
    if (!isCurrent()) return
    question += 1
    const user = await server.verify(proof)
    // Somebody left while the server was already at it: it knows how that ended.
    if (!isCurrent()) return refresh()
    dispatch({ type: 'signed-in', user })
    tabs.send()
  }

  /** Ends the session on the server and forgets the wallet, without telling the wallet. */
  async function signOut(): Promise<void> {
    attempt += 1
    const { wallet: address } = state.get()
    // Before the call: a header naming another account than the session's would be refused.
    memory.clear()
    try {
      await server.logout()
    } catch (error) {
      if (wallet && address) memory.set(wallet.id, address)
      throw error
    }
    question += 1
    detach()
    dispatch({ type: 'user-known', user: null })
    tabs.send()
  }

  async function logout(): Promise<void> {
    const leaving = wallet
    await signOut()
    // A wallet that cannot disconnect leaves no session behind: that one has just ended.
    await leaving?.disconnect().catch(() => {})
  }

  async function sign(message: string): Promise<TextSignature> {
    const { wallet: address } = state.get()
    if (!wallet || !address) throw new WalletError('unavailable')
    const answer = await wallet.signText(message, address)
    checkWording(answer, message)
    return told(answer)
  }

  async function otherTabChanged(): Promise<void> {
    await refresh()
    if (!memory.isSet()) detach()
    else if (!wallet) await restore()
  }

  return {
    state,
    start() {
      if (cookie) void refresh()
      void check()
      const silence = tabs.subscribe(() => void otherTabChanged())
      return () => {
        attempt += 1
        connection += 1
        question += 1
        silence()
        unwatch()
      }
    },
    openDialog: () => dispatch({ type: 'dialog-opened' }),
    closeDialog() {
      attempt += 1
      dispatch({ type: 'dialog-closed' })
    },
    signIn,
    logout,
    sign,
    refresh,
  }
}

const proofOf = (address: string, answer: Signed): SignedChallenge => ({ address, ...told(answer) })

/** A signature as calls carry it. */
function told({ signature, signedMessage }: Signed): TextSignature {
  return { signature: base58(signature), ...(signedMessage && { signedMessage: base64(signedMessage) }) }
}
