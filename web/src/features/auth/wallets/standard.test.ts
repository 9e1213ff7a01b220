import type { Wallet as StandardWallet } from '@wallet-standard/base'
import { describe, expect, test, vi } from 'vitest'
import { challengeFor } from '@test/fixtures/auth'
import { fromStandard } from './standard'
import type { Wallet } from './wallet'

const challenge = challengeFor('ann')
const account = { address: 'ann', publicKey: new Uint8Array(32), chains: [], features: [] } as const
const answer = { account, signature: new Uint8Array(64), signedMessage: Uint8Array.from([7]) }

function standardWallet(features: object = {}, parts: Partial<StandardWallet> = {}) {
  let changed: (properties: object) => void = () => {}
  const connect = vi.fn<(input?: object) => Promise<unknown>>(() => Promise.resolve({ accounts: [account] }))
  const wallet: StandardWallet = {
    version: '1.0.0',
    name: 'Backpack',
    icon: 'data:image/png;base64,AA==',
    chains: ['solana:mainnet'],
    accounts: [account],
    features: {
      'standard:connect': { connect },
      'standard:events': {
        on: (_: 'change', listener: (properties: object) => void) => {
          changed = listener
          return () => {
            changed = () => {}
          }
        },
      },
      'solana:signMessage': { signMessage: () => Promise.resolve([answer]) },
      ...features,
    },
    ...parts,
  }
  return { wallet, connect, change: (properties: object) => changed(properties) }
}

function adapted(wallet: StandardWallet): Wallet {
  const own = fromStandard(wallet)
  if (!own) throw new Error('not taken')
  return own
}

test.each<[string, StandardWallet]>([
  ['another chain', standardWallet({}, { chains: ['sui:mainnet'] }).wallet],
  ['no connect', standardWallet({}, { features: { 'solana:signMessage': {}, 'standard:events': {} } }).wallet],
  ['no events', standardWallet({}, { features: { 'solana:signMessage': {}, 'standard:connect': {} } }).wallet],
  ['no signing', standardWallet({}, { features: { 'standard:connect': {}, 'standard:events': {} } }).wallet],
])('a wallet with %s cannot sign in', (_, wallet) => {
  expect(fromStandard(wallet)).toBeNull()
})

test('name and icon come from the wallet', () => {
  expect(adapted(standardWallet().wallet)).toMatchObject({ id: 'Backpack', icon: 'data:image/png;base64,AA==' })
})

describe('connect', () => {
  test('returns the first account', async () => {
    const { wallet, connect } = standardWallet()
    await expect(adapted(wallet).connect({ silent: false })).resolves.toBe('ann')
    expect(connect).toHaveBeenLastCalledWith(undefined)
    await adapted(wallet).connect({ silent: true })
    expect(connect).toHaveBeenLastCalledWith({ silent: true })
  })
  test('fails without an account', async () => {
    const { wallet, connect } = standardWallet()
    connect.mockResolvedValue({ accounts: [] })
    await expect(adapted(wallet).connect({ silent: false })).rejects.toMatchObject({ problem: 'invalid-response' })
  })
  test('reports a refusal', async () => {
    const { wallet, connect } = standardWallet()
    connect.mockRejectedValue({ code: 4001 })
    await expect(adapted(wallet).connect({ silent: false })).rejects.toMatchObject({ problem: 'cancelled' })
  })
})

describe('sign', () => {
  const expected = { signature: answer.signature, signedMessage: answer.signedMessage }

  test('prefers signing in', async () => {
    const signIn = vi.fn<(input: object) => Promise<unknown>>(() => Promise.resolve([answer]))
    const { wallet } = standardWallet({ 'solana:signIn': { signIn } })
    await expect(adapted(wallet).sign(challenge)).resolves.toEqual(expected)
    expect(signIn).toHaveBeenCalledWith(challenge.input)
  })
  test('signs the text with the challenged account', async () => {
    const signMessage = vi.fn<(input: object) => Promise<unknown>>(() => Promise.resolve([answer]))
    const { wallet } = standardWallet({ 'solana:signMessage': { signMessage } })
    await expect(adapted(wallet).sign(challenge)).resolves.toEqual(expected)
    expect(signMessage).toHaveBeenCalledWith({ account, message: new TextEncoder().encode(challenge.message) })
  })
  test('needs that account', async () => {
    const { wallet } = standardWallet({}, { accounts: [] })
    await expect(adapted(wallet).sign(challenge)).rejects.toMatchObject({ problem: 'unavailable' })
  })
  test('signs the text where signIn fails, such as with a Ledger', async () => {
    const signIn = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('Ledger cannot sign this')))
    const { wallet } = standardWallet({ 'solana:signIn': { signIn } })
    await expect(adapted(wallet).sign(challenge)).resolves.toMatchObject({ signedMessage: Uint8Array.from([7]) })
    expect(signIn).toHaveBeenCalledOnce()
  })
  test('doesn’t ask again after a refusal', async () => {
    const signMessage = vi.fn<() => Promise<unknown>>(() => Promise.resolve([answer]))
    const signIn = () => Promise.reject(Object.assign(new Error('no'), { code: 4001 }))
    const { wallet } = standardWallet({ 'solana:signIn': { signIn }, 'solana:signMessage': { signMessage } })
    await expect(adapted(wallet).sign(challenge)).rejects.toMatchObject({ problem: 'cancelled' })
    expect(signMessage).not.toHaveBeenCalled()
  })
  test('fails without a response', async () => {
    const { wallet } = standardWallet({ 'solana:signIn': { signIn: () => Promise.resolve([]) } })
    await expect(adapted(wallet).sign(challenge)).rejects.toMatchObject({ problem: 'invalid-response' })
  })
})

test('watch reports only account changes', () => {
  const { wallet, change } = standardWallet()
  const heard: (string | null)[] = []
  const stop = adapted(wallet).watch((address) => heard.push(address))
  change({ features: {} })
  change({ accounts: [{ ...account, address: 'bob' }, account] })
  change({ accounts: [] })
  expect(heard).toEqual(['bob', null])
  stop()
  change({ accounts: [account] })
  expect(heard).toHaveLength(2)
})

test('disconnect is called on wallets that support it', async () => {
  const disconnect = vi.fn<() => Promise<void>>(() => Promise.resolve())
  await adapted(standardWallet({ 'standard:disconnect': { disconnect } }).wallet).disconnect()
  expect(disconnect).toHaveBeenCalledOnce()
  await expect(adapted(standardWallet().wallet).disconnect()).resolves.toBeUndefined()
})
