import { afterEach, describe, expect, test, vi } from 'vitest'
import { challengeFor } from '@test/fixtures/auth'
import { injectedPhantom, isPhantomPresent, isPhantomReady } from './phantom'

const key = (address: string) => ({ toString: () => address })

function install(parts: object = {}) {
  const listeners = new Map<string, (publicKey?: unknown) => void>()
  const solana = {
    connect: vi.fn<(options?: object) => Promise<unknown>>(() => Promise.resolve({ publicKey: key('ann') })),
    disconnect: vi.fn<() => Promise<void>>(() => Promise.resolve()),
    signMessage: vi.fn<(message: Uint8Array, display: string) => Promise<unknown>>(() =>
      Promise.resolve({ signature: new Uint8Array(64) }),
    ),
    on: (event: string, listener: () => void) => listeners.set(event, listener),
    off: (event: string, listener: () => void) => listeners.get(event) === listener && listeners.delete(event),
    ...parts,
  }
  Object.assign(window, { phantom: { solana } })
  return { solana, listeners }
}

afterEach(() => {
  delete window.phantom
})

test('is absent, present and ready in turn', () => {
  expect([isPhantomPresent(), isPhantomReady()]).toEqual([false, false])
  Object.assign(window, { phantom: {} })
  expect([isPhantomPresent(), isPhantomReady()]).toEqual([true, false])
  Object.assign(window, { phantom: { solana: { isPhantom: true } } })
  expect([isPhantomPresent(), isPhantomReady()]).toEqual([true, false])
  install()
  expect([isPhantomPresent(), isPhantomReady()]).toEqual([true, true])
})

describe('connect', () => {
  test('prompts the user', async () => {
    const { solana } = install()
    await expect(injectedPhantom.connect({ silent: false })).resolves.toBe('ann')
    expect(solana.connect).toHaveBeenCalledWith()
  })
  test('connects without a prompt when silent', async () => {
    const { solana } = install()
    await injectedPhantom.connect({ silent: true })
    expect(solana.connect).toHaveBeenCalledWith({ onlyIfTrusted: true })
  })
  test.each([undefined, {}, { publicKey: null }])('rejects the response %j', async (response) => {
    install({ connect: () => Promise.resolve(response) })
    await expect(injectedPhantom.connect({ silent: false })).rejects.toMatchObject({ problem: 'invalid-response' })
  })
  test('reports a refusal', async () => {
    install({ connect: () => Promise.reject(Object.assign(new Error('User rejected the request.'), { code: 4001 })) })
    await expect(injectedPhantom.connect({ silent: false })).rejects.toMatchObject({ problem: 'cancelled' })
  })
  test('needs the provider', async () => {
    await expect(injectedPhantom.connect({ silent: false })).rejects.toMatchObject({ problem: 'unavailable' })
    install({ connect: undefined })
    await expect(injectedPhantom.connect({ silent: false })).rejects.toMatchObject({ problem: 'unavailable' })
  })
})

describe('sign', () => {
  const challenge = challengeFor('ann')

  test('signs in where Phantom can', async () => {
    const answer = { signature: new Uint8Array(64), signedMessage: Uint8Array.from([1]) }
    const signIn = vi.fn<(input: object) => Promise<unknown>>(() => Promise.resolve(answer))
    const { solana } = install({ signIn })
    await expect(injectedPhantom.sign(challenge)).resolves.toEqual(answer)
    expect(signIn).toHaveBeenCalledWith(challenge.input)
    expect(solana.signMessage).not.toHaveBeenCalled()
  })
  test('signs the text where signing in fails', async () => {
    const { solana } = install({ signIn: () => Promise.reject(new Error('not supported')) })
    await expect(injectedPhantom.sign(challenge)).resolves.toMatchObject({ signedMessage: null })
    expect(solana.signMessage).toHaveBeenCalledOnce()
  })
  test('signs the text where it cannot', async () => {
    const { solana } = install()
    await expect(injectedPhantom.sign(challenge)).resolves.toEqual({
      signature: new Uint8Array(64),
      signedMessage: null,
    })
    expect(solana.signMessage).toHaveBeenCalledWith(new TextEncoder().encode(challenge.message), 'utf8')
  })
  test('reports a refusal', async () => {
    install({ signMessage: () => Promise.reject({ code: 4001 }) })
    await expect(injectedPhantom.sign(challenge)).rejects.toMatchObject({ problem: 'cancelled' })
  })
})

test('watch reports account changes and disconnects until stopped', () => {
  const { listeners } = install()
  const heard: (string | null)[] = []
  const stop = injectedPhantom.watch((address) => heard.push(address))
  listeners.get('accountChanged')?.(key('bob'))
  listeners.get('accountChanged')?.(null)
  listeners.get('disconnect')?.()
  expect(heard).toEqual(['bob', null, null])
  stop()
  expect(listeners.size).toBe(0)
})
