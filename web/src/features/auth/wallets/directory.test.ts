import { getWallets } from '@wallet-standard/app'
import type { Wallet as StandardWallet } from '@wallet-standard/base'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDirectory } from './directory'
import { demoWallet } from './demo'
import { injectedPhantom } from './phantom'
import { demoId, phantomId } from './wallet'

beforeEach(() => {
  vi.useFakeTimers()
})

const unregister: (() => void)[] = []

afterEach(() => {
  vi.useRealTimers()
  delete window.phantom
  for (const off of unregister.splice(0)) off()
})

function register(name: string): void {
  const wallet: StandardWallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/png;base64,AA==',
    chains: ['solana:mainnet'],
    accounts: [],
    features: { 'standard:connect': {}, 'standard:events': {}, 'solana:signIn': {} },
  }
  unregister.push(getWallets().register(wallet))
}

function inject(solana: object = { isPhantom: true, connect: () => Promise.resolve() }): void {
  Object.assign(window, { phantom: { solana } })
}

const names = ({ list }: ReturnType<typeof createDirectory>) => list.get().map(({ id }) => id)

describe('the list', () => {
  test('has the demo wallet in the sandbox only', async () => {
    const sandbox = createDirectory({ sandbox: true })
    sandbox.start()
    expect(names(sandbox)).toEqual([demoId])
    const real = createDirectory({ sandbox: false })
    real.start()
    expect(names(real)).toEqual([])
  })

  test('lists two wallets of the same name separately', async () => {
    const directory = createDirectory({ sandbox: false })
    register('Backpack')
    register('Backpack')
    directory.start()
    expect(names(directory)).toEqual(['Backpack', 'Backpack (2)'])
    const [first, other] = await Promise.all([directory.choose('Backpack'), directory.choose('Backpack (2)')])
    expect(first).not.toBe(other)
    unregister.shift()?.()
    expect(names(directory)).toEqual(['Backpack (2)'])
  })

  test('adds and removes Wallet Standard wallets as they register and unregister', () => {
    const directory = createDirectory({ sandbox: false })
    register('Backpack')
    const stop = directory.start()
    expect(names(directory)).toEqual(['Backpack'])
    register('Solflare')
    expect(names(directory)).toEqual(['Backpack', 'Solflare'])
    unregister.pop()?.()
    expect(names(directory)).toEqual(['Backpack'])
    stop()
    register('Glow')
    expect(names(directory)).toEqual(['Backpack'])
  })

  test('detects Phantom’s provider within 10 s', async () => {
    const directory = createDirectory({ sandbox: false })
    directory.start()
    await vi.advanceTimersByTimeAsync(9_900)
    expect(names(directory)).toEqual([])
    inject()
    await vi.advanceTimersByTimeAsync(100)
    expect(directory.list.get()).toEqual([injectedPhantom])
  })

  test('lists Phantom once, through the Wallet Standard if possible', async () => {
    inject()
    const directory = createDirectory({ sandbox: false })
    directory.start()
    expect(directory.list.get()).toEqual([injectedPhantom])
    register(phantomId)
    expect(names(directory)).toEqual([phantomId])
    expect(directory.list.get()[0]).not.toBe(injectedPhantom)
  })
})

describe('restoring the wallet of the last visit', () => {
  test('waits 50 tries of 200 ms', async () => {
    const recalled = createDirectory({ sandbox: false }).recall(phantomId)
    await vi.advanceTimersByTimeAsync(9_999)
    await expect(Promise.race([recalled, Promise.resolve('waiting')])).resolves.toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    await expect(recalled).resolves.toBeUndefined()
  })

  test('uses it as soon as it appears', async () => {
    const recalled = createDirectory({ sandbox: false }).recall(phantomId)
    await vi.advanceTimersByTimeAsync(500)
    inject()
    await vi.advanceTimersByTimeAsync(100)
    await expect(recalled).resolves.toBe(injectedPhantom)
  })

  test('has the demo wallet at once', async () => {
    await expect(createDirectory({ sandbox: true }).recall(demoId)).resolves.toBe(demoWallet)
  })
})

describe('choosing a wallet', () => {
  test('that is present is immediate', async () => {
    inject()
    await expect(createDirectory({ sandbox: false }).choose(phantomId)).resolves.toBe(injectedPhantom)
  })

  test.each([phantomId, 'Backpack'])('that is not installed fails at once: %s', async (id) => {
    await expect(createDirectory({ sandbox: false }).choose(id)).rejects.toMatchObject({ problem: 'not-found' })
  })

  test('Phantom without a connect function gets a pause of 500 ms, then 5 s in steps of 200 ms', async () => {
    inject({ isPhantom: true })
    const failed = vi.fn<(error: unknown) => void>()
    createDirectory({ sandbox: false }).choose(phantomId).catch(failed)
    await vi.advanceTimersByTimeAsync(5_499)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ problem: 'not-ready' }))
  })

  test('Phantom that becomes ready meanwhile is used at the next poll', async () => {
    inject({ isPhantom: true })
    const chosen = vi.fn<(wallet: unknown) => void>()
    void createDirectory({ sandbox: false }).choose(phantomId).then(chosen)
    await vi.advanceTimersByTimeAsync(100)
    inject()
    await vi.advanceTimersByTimeAsync(399)
    expect(chosen).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(chosen).toHaveBeenCalledWith(injectedPhantom)
  })
})
