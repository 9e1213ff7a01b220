import type { Challenge } from '@/api/session'
import type { User } from '@/lib/contract/types'
import { localStore } from '@/lib/storage'
import { createStore } from '@/lib/store'
import { vi } from 'vitest'
import { createSessionController, type SessionWorld } from './session-controller'
import { createWalletMemory } from './wallet/memory'
import { phantomId, type Wallet } from './wallet/wallet'

/** Doubles for the tests of this folder. */

export function userOf(walletAddress: string): User {
  return {
    id: `id-${walletAddress}`,
    walletAddress,
    walletType: 'solana',
    role: 'user',
    firstName: '',
    lastName: '',
    email: '',
    profileImageUrl: '',
    picture: '',
    userTag: 'tag',
    userTagSalt: 'salt',
  }
}

export function challengeFor(address: string): Challenge {
  return {
    message: `sign in as ${address}`,
    input: {
      domain: 'localhost',
      address,
      statement: 'Sign in to Kaibao.',
      uri: 'http://localhost',
      version: '1',
      chainId: 'mainnet',
      nonce: '0'.repeat(32),
      issuedAt: '2026-01-01T00:00:00.000Z',
      expirationTime: '2026-01-01T00:05:00.000Z',
    },
  }
}

/** A wallet that does as told and lets a test change its account. */
export function fakeWallet(address: string, id = phantomId) {
  const listeners = new Set<(address: string | null) => void>()
  const wallet = {
    id,
    icon: null,
    connect: vi.fn<Wallet['connect']>(() => Promise.resolve(address)),
    disconnect: vi.fn<Wallet['disconnect']>(() => Promise.resolve()),
    sign: vi.fn<Wallet['sign']>(({ message }) =>
      Promise.resolve({ signature: new Uint8Array(64).fill(1), signedMessage: new TextEncoder().encode(message) }),
    ),
    signText: vi.fn<Wallet['signText']>(() =>
      Promise.resolve({ signature: new Uint8Array(64).fill(2), signedMessage: null }),
    ),
    watch: (listener: (address: string | null) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    wallet,
    listeners,
    changeTo(next: string | null) {
      for (const listener of listeners) listener(next)
    },
  }
}

/** A server with one session, which believes every signature. */
export function fakeServer(signedIn: User | null = null) {
  const session = createStore(signedIn)
  return {
    session,
    user: vi.fn<SessionWorld['server']['user']>(() => Promise.resolve(session.get())),
    challenge: vi.fn<SessionWorld['server']['challenge']>((address) => Promise.resolve(challengeFor(address))),
    verify: vi.fn<SessionWorld['server']['verify']>(({ address }) => {
      session.set(userOf(address))
      return Promise.resolve(userOf(address))
    }),
    logout: vi.fn<SessionWorld['server']['logout']>(() => {
      session.set(null)
      return Promise.resolve()
    }),
  }
}

/** A session controller in a world of doubles. */
export function fakeSession({ wallet = fakeWallet('ann'), server = fakeServer(), cookie = true } = {}) {
  const hearers = new Set<() => void>()
  const wallets = {
    recall: vi.fn<SessionWorld['wallets']['recall']>(() => Promise.resolve(wallet.wallet)),
    choose: vi.fn<SessionWorld['wallets']['choose']>(() => Promise.resolve(wallet.wallet)),
  }
  const tell = vi.fn<() => void>()
  const controller = createSessionController({
    wallets,
    server,
    memory: createWalletMemory(localStore),
    cookie,
    tabs: {
      tell,
      hear(listener) {
        hearers.add(listener)
        return () => hearers.delete(listener)
      },
    },
  })
  const otherTabSpeaks = () => {
    for (const hearer of hearers) hearer()
  }
  return { controller, wallet, server, wallets, tell, otherTabSpeaks }
}
