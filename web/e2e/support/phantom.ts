import type { BrowserContext, Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'

/** Behavior of a fake Phantom. By default it is present, ready, and approves everything. */
export interface PhantomOptions {
  /** Whether it trusts the page before the first connect. Afterwards it stores its trust. */
  trusted?: boolean
  /** If false, the wallet only has signMessage, like old versions. */
  signIn?: boolean
  /** signIn fails, like with a Ledger. */
  ledger?: boolean
  /** signIn signs another text. */
  changesText?: boolean
  /** Registers a second wallet of the same name with the second account. */
  twin?: boolean
  /** Also registers through the Wallet Standard, like the real one. */
  standard?: boolean
  /** Appears only when `appear` is called. */
  hidden?: boolean
  /** Milliseconds until it has a connect function; null for never. */
  readyAfter?: number | null
  /** Errors of connect and signing, until `approve` is called. */
  refuseConnect?: { code: number; message: string }
  refuseSign?: { code: number; message: string }
}

/** Controls the fake wallet while the page runs. */
interface PhantomControls {
  appear: () => void
  switchAccount: (index: number | null) => void
  disconnect: () => void
  /** Makes connect throw an error, or return an invalid response. */
  failToConnect: (fault: { throws?: { code: number; message: string }; returns?: object }) => void
  /** Makes it approve everything. */
  approve: () => void
  /** Number of calls by method. */
  calls: { connect: number; silent: number; signIn: number; signMessage: number }
}

declare global {
  interface Window {
    fakePhantom: PhantomControls
  }
}

/**
 * Adds the fake wallet to all pages opened later. It signs with real Ed25519 keys. Its two accounts are new to the server
 * and stay the same across reloads.
 */
export async function installPhantom(target: Page | BrowserContext, options: PhantomOptions = {}): Promise<void> {
  await target.addInitScript(fakePhantom, { ...options, accounts: [randomUUID(), randomUUID()] })
}

/** Runs in the page, so it can't use anything from this file. */
function fakePhantom(options: PhantomOptions & { accounts: string[] }): void {
  const memory = 'fake-phantom'
  const remembered = JSON.parse(localStorage.getItem(memory) ?? '{}') as { trusted?: boolean; account?: number }
  const state = { trusted: options.trusted ?? false, account: 0, ...remembered }
  let refusals = { connect: options.refuseConnect, sign: options.refuseSign }
  let connectResult: object | undefined
  const calls = { connect: 0, silent: 0, signIn: 0, signMessage: 0 }
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
    calls[asking?.onlyIfTrusted ? 'silent' : 'connect'] += 1
    if (asking?.onlyIfTrusted && !state.trusted) throw { code: 4001, message: 'User rejected the request.' }
    if (refusals.connect) throw refusals.connect
    if (connectResult) return connectResult
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
    calls.signMessage += 1
    return { signature: await sign(message), publicKey: publicKeyOf((await account()).address) }
  }

  async function signIn(input: Record<string, string>) {
    calls.signIn += 1
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
      ...(options.changesText ? ['Resources:'] : []),
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

  window.fakePhantom = {
    appear,
    calls,
    failToConnect: ({ throws, returns }) => {
      refusals = { ...refusals, connect: throws }
      connectResult = returns
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
