import type { BrowserContext, Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'

/** What a double of Phantom does; by default it is there, ready, and approves everything. */
export interface PhantomOptions {
  /** Whether it trusts the page before the first connect. It remembers an approved one by itself. */
  trusted?: boolean
  /** Without it the wallet only knows signMessage, as old ones do. */
  signIn?: boolean
  /** signIn fails, as with a Ledger. */
  ledger?: boolean
  /** signIn signs another text than it was given. */
  rewords?: boolean
  /** Registers a second wallet of the same name, whose account is the second. */
  twin?: boolean
  /** Registers by the Wallet Standard too, as the real one does. */
  standard?: boolean
  /** It shows itself only when `appear` is called on it, not at once. */
  hidden?: boolean
  /** Milliseconds until it has its connect function; null is never. */
  readyAfter?: number | null
  /** What connect and signing throw, until `approve` is called. */
  refuseConnect?: { code: number; message: string }
  refuseSign?: { code: number; message: string }
}

/** What a journey can do to the double while the page runs. */
interface PhantomControls {
  appear: () => void
  switchAccount: (index: number | null) => void
  disconnect: () => void
  /** From now on connect throws this, or gives it instead of a response with a public key. */
  failToConnect: (fault: { throws?: { code: number; message: string }; gives?: object }) => void
  /** From now on it approves everything. */
  approve: () => void
  /** How often it was asked. */
  asked: { connect: number; silent: number; signIn: number; signMessage: number }
}

declare global {
  interface Window {
    phantomDouble: PhantomControls
  }
}

/**
 * Puts the double on every page opened from now on. It signs with real Ed25519 keys made in the page. Its two accounts
 * are new to the server, which other tests share, and stay the same through reloads.
 */
export async function installPhantom(target: Page | BrowserContext, options: PhantomOptions = {}): Promise<void> {
  await target.addInitScript(phantomDouble, { ...options, accounts: [randomUUID(), randomUUID()] })
}

/** Runs in the page, so it brings everything it needs. */
function phantomDouble(options: PhantomOptions & { accounts: string[] }): void {
  const memory = 'phantom-double'
  const remembered = JSON.parse(localStorage.getItem(memory) ?? '{}') as { trusted?: boolean; account?: number }
  const state = { trusted: options.trusted ?? false, account: 0, ...remembered }
  let refusals = { connect: options.refuseConnect, sign: options.refuseSign }
  let connectGives: object | undefined
  const asked = { connect: 0, silent: 0, signIn: 0, signMessage: 0 }
  const save = () => localStorage.setItem(memory, JSON.stringify(state))

  // --- keys

  function base58(bytes: Uint8Array): string {
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
    let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
    let text = ''
    for (; number > 0n; number /= 58n) text = alphabet.charAt(Number(number % 58n)) + text
    return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text
  }

  async function keyOf(name: string) {
    const seed = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name)))
    const der = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32, ...seed])
    const key = await crypto.subtle.importKey('pkcs8', der, { name: 'Ed25519' }, true, ['sign'])
    const { x = '' } = await crypto.subtle.exportKey('jwk', key)
    const binary = atob(x.replaceAll('-', '+').replaceAll('_', '/'))
    return { key, publicKey: Uint8Array.from(binary, (char) => char.charCodeAt(0)) }
  }

  const keys = Promise.all(options.accounts.map(keyOf))

  async function account() {
    const found = (await keys)[state.account]
    if (!found) throw new Error(`no account ${state.account}`)
    return { ...found, address: base58(found.publicKey) }
  }

  const publicKeyOf = (address: string) => ({ toString: () => address, toBase58: () => address })

  // --- events

  type Listener = (argument?: unknown) => void
  const listeners: [string, Listener][] = []
  const emit = (event: string, argument?: unknown) => {
    for (const [name, listener] of listeners.slice()) if (name === event) listener(argument)
  }

  // --- what a page can ask

  async function connect(asking?: { onlyIfTrusted?: boolean }) {
    asked[asking?.onlyIfTrusted ? 'silent' : 'connect'] += 1
    if (asking?.onlyIfTrusted && !state.trusted) throw { code: 4001, message: 'User rejected the request.' }
    if (refusals.connect) throw refusals.connect
    if (connectGives) return connectGives
    state.trusted = true
    save()
    return { publicKey: publicKeyOf((await account()).address) }
  }

  function disconnect() {
    state.trusted = false
    save()
    emit('disconnect')
    emitStandard([])
    return Promise.resolve()
  }

  async function sign(message: Uint8Array) {
    if (refusals.sign) throw refusals.sign
    const { key } = await account()
    return new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, key, Uint8Array.from(message)))
  }

  async function signMessage(message: Uint8Array) {
    asked.signMessage += 1
    return { signature: await sign(message), publicKey: publicKeyOf((await account()).address) }
  }

  async function signIn(input: Record<string, string>) {
    asked.signIn += 1
    if (options.ledger) throw new Error('Ledger devices cannot sign this message.')
    const { address } = await account()
    const text = [
      `${input['domain']} wants you to sign in with your Solana account:`,
      input['address'] ?? address,
      '',
      input['statement'],
      '',
      `URI: ${input['uri']}`,
      `Version: ${input['version']}`,
      `Chain ID: ${input['chainId']}`,
      `Nonce: ${input['nonce']}`,
      `Issued At: ${input['issuedAt']}`,
      `Expiration Time: ${input['expirationTime']}`,
      ...(options.rewords ? ['Resources:'] : []),
    ].join('\n')
    const signedMessage = new TextEncoder().encode(text)
    return { address: publicKeyOf(address), signedMessage, signature: await sign(signedMessage) }
  }

  const provider: Record<string, unknown> = {
    isPhantom: true,
    disconnect,
    signMessage,
    on: (event: string, listener: Listener) => listeners.push([event, listener]),
    off: (event: string, listener: Listener) => {
      const at = listeners.findIndex(([name, known]) => name === event && known === listener)
      if (at >= 0) listeners.splice(at, 1)
    },
  }
  if (options.signIn ?? true) provider['signIn'] = signIn

  // --- the same by the Wallet Standard

  const standardListeners = new Set<Listener>()
  const emitStandard = (accounts: unknown[]) => {
    for (const listener of standardListeners) listener({ accounts })
  }
  const standardAccount = async () => {
    const { address, publicKey } = await account()
    return { address, publicKey, chains: ['solana:mainnet'], features: ['solana:signIn'] }
  }
  const standardWallet = {
    version: '1.0.0',
    name: 'Phantom',
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    chains: ['solana:mainnet'],
    accounts: [],
    features: {
      'standard:connect': {
        connect: async ({ silent }: { silent?: boolean } = {}) => {
          await connect(silent ? { onlyIfTrusted: true } : undefined)
          return { accounts: [await standardAccount()] }
        },
      },
      'standard:disconnect': { disconnect },
      'standard:events': {
        on: (_: string, listener: Listener) => {
          standardListeners.add(listener)
          return () => standardListeners.delete(listener)
        },
      },
      'solana:signIn': {
        signIn: async (input: Record<string, string>) => [
          { ...(await signIn(input)), account: await standardAccount() },
        ],
      },
    },
  }

  // --- coming into being

  function later(milliseconds: number, action: () => void): void {
    if (milliseconds === 0) action()
    else setTimeout(action, milliseconds)
  }

  function register(api: { register: (wallet: object) => void }): void {
    if (!options.twin) return api.register(standardWallet)
    const { features } = standardWallet
    for (const index of [0, 1]) {
      const own = {
        connect: async () => {
          state.account = index
          return features['standard:connect'].connect()
        },
      }
      api.register({ ...standardWallet, features: { ...features, 'standard:connect': own } })
    }
  }

  function appear(): void {
    Object.assign(window, { phantom: { solana: provider } })
    const { readyAfter = 0 } = options
    if (readyAfter !== null) later(readyAfter, () => Object.assign(provider, { connect }))
    if (!options.standard) return
    window.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail))
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  }

  if (!options.hidden) appear()

  window.phantomDouble = {
    appear,
    asked,
    failToConnect: ({ throws, gives }) => {
      refusals = { ...refusals, connect: throws }
      connectGives = gives
    },
    approve: () => {
      refusals = { connect: undefined, sign: undefined }
    },
    disconnect: () => void disconnect(),
    switchAccount: (index) => {
      if (index === null) {
        emit('accountChanged', null)
        emitStandard([])
        return
      }
      state.account = index
      save()
      void standardAccount().then((next) => {
        emit('accountChanged', publicKeyOf(next.address))
        emitStandard([next])
      })
    },
  }
}
