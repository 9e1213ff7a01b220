import type { Challenge, SignedChallenge } from '@/api/session'
import type { User } from '@/contract/types'
import type { TextSignature } from '@/lib/session'
import { createStore, type Store } from '@/lib/store'
import { initialState, reduce, type SessionEvent, type SessionState } from './session-state'
import { base58, base64 } from './wallets/base58'
import type { WalletDirectory } from './wallets/directory'
import type { WalletMemory } from './wallets/memory'
import { pause } from './wallets/wait'
import { assertSignedMessage, WalletError, type Signed, type Wallet } from './wallets/wallet'

const walletCheckTimeoutMs = 10_000

export interface SessionDependencies {
  wallets: Pick<WalletDirectory, 'recall' | 'choose'>
  server: {
    user: () => Promise<User | null>
    challenge: (address: string) => Promise<Challenge>
    verify: (signed: SignedChallenge) => Promise<User>
    logout: () => Promise<void>
  }
  memory: WalletMemory
  /** Whether the page request had a session cookie. Without one nobody is signed in. */
  cookie: boolean
  /** Tells the other tabs that something changed, and hears it from them. */
  tabs: { send: () => void; subscribe: (listener: () => void) => () => void }
}

export interface SessionController {
  state: Store<SessionState>
  /** Loads the user and reconnects the last visit's wallet, concurrently. Returns a cleanup function. */
  start: () => () => void
  openDialog: () => void
  closeDialog: () => void
  /** Connects a wallet and signs in with it. An error is put in the state and returned, not thrown. */
  signIn: (walletId: string) => Promise<unknown>
  /** Ends the session here, in the wallet and in other tabs; rejects if the server can't be reached. */
  logout: () => Promise<void>
  /** Resolves once reconnecting the last visit's wallet has finished, after 10 s at the latest. */
  walletChecked: () => Promise<void>
  /** Has the connected wallet sign a text; rejects with a WalletError. */
  sign: (message: string) => Promise<TextSignature>
  /** Reloads the user from the server. */
  refresh: () => Promise<void>
}

export function createSessionController(dependencies: SessionDependencies): SessionController {
  const { wallets, server, memory, cookie, tabs } = dependencies
  const state = createStore<SessionState>({
    ...initialState,
    // Without a cookie the first render is already final.
    ...(!cookie && { user: null }),
    walletChecked: !memory.isSet(),
  })
  const dispatch = (event: SessionEvent) => state.set(reduce(state.get(), event))

  // Each counts the starts of one kind of request: a response is stale if a newer one has started.
  let attempt = 0
  let connection = 0
  let userRequest = 0
  let wallet: Wallet | null = null
  let unwatch = () => {}

  async function refresh(): Promise<void> {
    userRequest += 1
    const current = userRequest
    const before = state.get().user
    // Keep the known user if the request fails.
    const user = await server.user().catch(() => before ?? null)
    if (current === userRequest) dispatch({ type: 'user-known', user })
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
      // The server still has the session, but the wallet is gone.
      memory.clear()
      detach()
    })
  }

  /** Reconnects the last visit's wallet silently. The session doesn't depend on it. */
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
      // Requests named the forgotten address, which may have hidden another account's session.
      if (!state.get().user && cookie) await refresh()
    }
  }

  /** A locked wallet responds only when it is unlocked, so the page waits a limited time. */
  async function checkLastWallet(): Promise<void> {
    if (!memory.isSet()) return
    await Promise.race([restore(), pause(walletCheckTimeoutMs)])
    dispatch({ type: 'wallet-checked' })
  }

  async function signIn(walletId: string): Promise<unknown> {
    attempt += 1
    const current = attempt
    dispatch({ type: 'connecting', wallet: walletId })
    let tried = walletId
    try {
      const chosen = await wallets.choose(walletId)
      const address = await chosen.connect({ silent: false })
      // A new passkey exists from here on: trying again signs in with it, and creates no second one.
      tried = chosen.id
      await prove(chosen, address, () => current === attempt)
    } catch (error) {
      if (current !== attempt) return null
      dispatch({ type: 'attempt-failed', wallet: tried, error })
      return error
    }
    return null
  }

  /** Signs in with a connected wallet, unless the attempt isn't the current one anymore. */
  async function prove(chosen: Wallet, address: string, isCurrent: () => boolean): Promise<void> {
    if (!isCurrent()) return
    attach(chosen, address)
    // The wallet switched back to the signed-in account: no signature is needed.
    if (state.get().user?.walletAddress === address) return dispatch({ type: 'dialog-closed' })
    dispatch({ type: 'signing', wallet: chosen.id })
    const challenge = await server.challenge(address)
    if (!isCurrent()) return
    const answer = await chosen.sign(challenge)
    assertSignedMessage(answer, challenge.message)
    const proof = proofOf(address, answer)
    if (!isCurrent()) return
    userRequest += 1
    const user = await server.verify(proof)
    // The attempt was cancelled during the request: ask the server for the outcome.
    if (!isCurrent()) return refresh()
    dispatch({ type: 'signed-in', user })
    tabs.send()
  }

  /** Ends the session on the server and forgets the wallet, without telling the wallet. */
  async function signOut(): Promise<void> {
    attempt += 1
    const { wallet: address } = state.get()
    // Before the request: a header with another account's address would be refused.
    memory.clear()
    try {
      await server.logout()
    } catch (error) {
      if (wallet && address) memory.set(wallet.id, address)
      throw error
    }
    userRequest += 1
    detach()
    dispatch({ type: 'user-known', user: null })
    tabs.send()
  }

  async function logout(): Promise<void> {
    const leaving = wallet
    await signOut()
    // The session has ended even if the wallet can't disconnect.
    await leaving?.disconnect().catch(() => {})
  }

  function walletChecked(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!state.get().walletChecked) return
        unsubscribe()
        resolve()
      }
      const unsubscribe = state.subscribe(check)
      check()
    })
  }

  async function sign(message: string): Promise<TextSignature> {
    const { wallet: address } = state.get()
    if (!wallet || !address) throw new WalletError('unavailable')
    const answer = await wallet.signText(message, address)
    assertSignedMessage(answer, message)
    return encodeSignature(answer)
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
      void checkLastWallet()
      const unsubscribe = tabs.subscribe(() => void otherTabChanged())
      return () => {
        attempt += 1
        connection += 1
        userRequest += 1
        unsubscribe()
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
    walletChecked,
    sign,
    refresh,
  }
}

const proofOf = (address: string, answer: Signed): SignedChallenge => ({ address, ...encodeSignature(answer) })

/** The signature as requests encode it. */
function encodeSignature({ signature, signedMessage }: Signed): TextSignature {
  return { signature: base58(signature), ...(signedMessage && { signedMessage: base64(signedMessage) }) }
}
