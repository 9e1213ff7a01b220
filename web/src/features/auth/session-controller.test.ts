import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Challenge } from '@/api/session'
import { challengeFor, fakeServer, fakeSession, fakeWallet, userOf } from '@test/fixtures/auth'
import { viewOf } from './session-state'
import { newPasskeyId, passkeyId, WalletError } from './wallets/wallet'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function rememberWallet(address: string) {
  localStorage.setItem('wallet:address', address)
  localStorage.setItem('wallet:connected', 'true')
}

const storedKeys = () => ['wallet:address', 'wallet:connected'].map((key) => localStorage.getItem(key))
const settle = () => vi.advanceTimersByTimeAsync(0)

/** A started controller, signed in as ann. */
async function signedIn(options: Parameters<typeof fakeSession>[0] = {}) {
  const session = fakeSession(options)
  session.controller.start()
  await session.controller.signIn('Phantom')
  return session
}

function later<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

describe('on load', () => {
  test('a first visit is signed out as soon as the server says so', async () => {
    const { controller, wallets } = fakeSession()
    expect(viewOf(controller.state.get()).status).toBe('loading')
    controller.start()
    await settle()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-out', address: null })
    expect(wallets.recall).not.toHaveBeenCalled()
  })

  test('without a cookie the user isn’t fetched until another tab reports a change', async () => {
    rememberWallet('ann')
    const { controller, wallet, server, notifyFromOtherTab } = fakeSession({
      server: fakeServer(userOf('ann')),
      cookie: false,
    })
    wallet.wallet.connect.mockRejectedValue(new WalletError('cancelled'))
    controller.start()
    await settle()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-out', address: null })
    expect(server.user).not.toHaveBeenCalled()
    notifyFromOtherTab()
    await settle()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-in', address: 'ann' })
  })

  test('a valid session doesn’t wait for the wallet', async () => {
    rememberWallet('ann')
    const { controller, wallets } = fakeSession({ server: fakeServer(userOf('ann')) })
    wallets.recall.mockReturnValue(new Promise(() => {}))
    controller.start()
    await settle()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-in', address: 'ann', walletMismatch: false })
  })

  test('without a session, loading lasts until the wallet check is over', async () => {
    rememberWallet('ann')
    const { controller, wallets } = fakeSession()
    const found = later<undefined>()
    wallets.recall.mockReturnValue(found.promise)
    controller.start()
    await settle()
    expect(viewOf(controller.state.get()).status).toBe('loading')
    found.resolve(undefined)
    await settle()
    expect(viewOf(controller.state.get()).status).toBe('signed-out')
    expect(storedKeys()).toEqual([null, null])
  })

  test('a wallet that never answers ends the check after 10 s', async () => {
    rememberWallet('ann')
    const { controller, wallet } = fakeSession()
    wallet.wallet.connect.mockReturnValue(new Promise(() => {}))
    controller.start()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(viewOf(controller.state.get()).status).toBe('loading')
    await vi.advanceTimersByTimeAsync(1)
    expect(viewOf(controller.state.get()).status).toBe('signed-out')
  })

  test('the remembered wallet is restored silently and watched', async () => {
    rememberWallet('ann')
    const { controller, wallet, wallets } = fakeSession({ server: fakeServer(userOf('ann')) })
    controller.start()
    await settle()
    expect(wallets.recall).toHaveBeenCalledWith('Phantom')
    expect(wallet.wallet.connect).toHaveBeenCalledWith({ silent: true })
    expect(wallet.wallet.sign).not.toHaveBeenCalled()
    expect(wallet.listeners.size).toBe(1)
    expect(controller.state.get().wallet).toBe('ann')
  })

  test('it is restored by its name', async () => {
    rememberWallet('ann')
    localStorage.setItem('wallet:name', 'Backpack')
    const { controller, wallets } = fakeSession()
    controller.start()
    await settle()
    expect(wallets.recall).toHaveBeenCalledWith('Backpack')
  })

  test('a failed restore clears the stored keys but not a valid session', async () => {
    rememberWallet('ann')
    const { controller, wallet, server } = fakeSession({ server: fakeServer(userOf('ann')) })
    wallet.wallet.connect.mockRejectedValue(new WalletError('cancelled'))
    controller.start()
    await settle()
    expect(storedKeys()).toEqual([null, null])
    expect(server.logout).not.toHaveBeenCalled()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-in', address: 'ann' })
  })

  test('a session hidden by another account’s address appears once that is cleared', async () => {
    rememberWallet('bob')
    const { controller, wallet, server } = fakeSession({ server: fakeServer(userOf('ann')) })
    server.user.mockImplementation(() =>
      localStorage.getItem('wallet:address') === 'bob'
        ? Promise.reject(new Error('wallet_mismatch'))
        : Promise.resolve(userOf('ann')),
    )
    wallet.wallet.connect.mockRejectedValue(new WalletError('cancelled'))
    controller.start()
    await settle()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-in', address: 'ann' })
  })

  test('a wallet with another account than the session’s locks the page', async () => {
    rememberWallet('ann')
    const { controller } = fakeSession({ wallet: fakeWallet('bob'), server: fakeServer(userOf('ann')) })
    controller.start()
    await settle()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-in', address: 'bob', walletMismatch: true })
    expect(storedKeys()).toEqual(['bob', 'true'])
  })

  test('without a response from the server the visitor is signed out', async () => {
    const { controller, server } = fakeSession()
    server.user.mockRejectedValue(new Error('network'))
    controller.start()
    await settle()
    expect(viewOf(controller.state.get()).status).toBe('signed-out')
  })

  test('events after stopping are ignored', async () => {
    rememberWallet('ann')
    const { controller, wallet } = fakeSession({ server: fakeServer(userOf('ann')) })
    controller.start()()
    await settle()
    expect(controller.state.get().user).toBeUndefined()
    expect(wallet.listeners.size).toBe(0)
  })
})

describe('signing in', () => {
  test('connects, signs the challenge, verifies it and remembers the wallet', async () => {
    const { controller, wallet, server, send } = await signedIn()
    expect(wallet.wallet.connect).toHaveBeenCalledWith({ silent: false })
    expect(server.challenge).toHaveBeenCalledWith('ann')
    expect(server.verify).toHaveBeenCalledWith({
      address: 'ann',
      signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/),
      signedMessage: btoa('sign in as ann'),
    })
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-in', address: 'ann', walletMismatch: false })
    expect(storedKeys()).toEqual(['ann', 'true'])
    expect(send).toHaveBeenCalledOnce()
  })

  test('sends no signed message when the wallet gives none', async () => {
    const session = fakeSession()
    session.wallet.wallet.sign.mockResolvedValue({ signature: new Uint8Array(64), signedMessage: null })
    await session.controller.signIn('Phantom')
    expect(session.server.verify).toHaveBeenCalledWith({ address: 'ann', signature: '1'.repeat(64) })
  })

  test('shows its stages', async () => {
    const { controller, wallet } = fakeSession()
    const stages: string[] = []
    controller.state.subscribe(() => stages.push(controller.state.get().attempt.stage))
    await controller.signIn('Phantom')
    expect([...new Set(stages)]).toEqual(['connecting', 'signing', 'idle'])
    expect(wallet.wallet.sign).toHaveBeenCalledOnce()
  })

  test.each(['choose', 'connect', 'challenge', 'sign', 'verify'] as const)('reports a failure of %s', async (step) => {
    const { controller, wallet, wallets, server } = fakeSession()
    const error = new WalletError('failed', step)
    const steps = { choose: wallets.choose, ...wallet.wallet, challenge: server.challenge, verify: server.verify }
    steps[step].mockRejectedValueOnce(error)
    controller.openDialog()
    await expect(controller.signIn('Phantom')).resolves.toBe(error)
    expect(controller.state.get()).toMatchObject({
      dialogOpen: true,
      attempt: { stage: 'failed', wallet: 'Phantom', error },
    })
    await controller.signIn('Phantom')
    expect(controller.state.get()).toMatchObject({ dialogOpen: false, user: { walletAddress: 'ann' } })
  })

  test('goes on as the wallet that the chosen entry connected', async () => {
    const { controller, wallet, wallets } = fakeSession({ wallet: fakeWallet('ann', passkeyId) })
    const error = new WalletError('cancelled')
    const attempts: unknown[] = []
    controller.state.subscribe(() => attempts.push(controller.state.get().attempt))

    // Nothing was created, even if another passkey's wallet is connected.
    wallet.wallet.connect.mockRejectedValueOnce(error)
    await controller.signIn(newPasskeyId)
    expect(attempts.at(-1)).toEqual({ stage: 'failed', wallet: newPasskeyId, error })

    wallet.wallet.sign.mockRejectedValueOnce(error)
    await controller.signIn(newPasskeyId)
    expect(wallets.choose).toHaveBeenLastCalledWith(newPasskeyId)
    expect(attempts).toContainEqual({ stage: 'signing', wallet: passkeyId })
    expect(attempts.at(-1)).toEqual({ stage: 'failed', wallet: passkeyId, error })
  })

  test('is cancelled when the dialog is closed', async () => {
    const { controller, wallet, server } = fakeSession()
    const asked = later<string>()
    wallet.wallet.connect.mockReturnValue(asked.promise)
    const attempt = controller.signIn('Phantom')
    await settle()
    controller.closeDialog()
    asked.resolve('ann')
    await attempt
    expect(server.challenge).not.toHaveBeenCalled()
    expect(controller.state.get()).toMatchObject({ attempt: { stage: 'idle' }, wallet: null })
  })

  test('a refusal that comes after the dialog was closed is not shown', async () => {
    const { controller, wallet } = fakeSession()
    const asked = later<string>()
    wallet.wallet.connect.mockReturnValue(asked.promise)
    const attempt = controller.signIn('Phantom')
    await settle()
    controller.closeDialog()
    asked.reject(new WalletError('cancelled'))
    await expect(attempt).resolves.toBeNull()
    expect(controller.state.get().attempt.stage).toBe('idle')
  })

  test('asks for no signature if the dialog was closed before the challenge came', async () => {
    const { controller, server, wallet } = fakeSession()
    const challenge = later<Challenge>()
    server.challenge.mockReturnValue(challenge.promise)
    const signing = controller.signIn('Phantom')
    await settle()
    controller.closeDialog()
    challenge.resolve(challengeFor('ann'))
    await signing
    expect(wallet.wallet.sign).not.toHaveBeenCalled()
  })

  test('a signature given after the dialog was closed is not used', async () => {
    const { controller, wallet, server } = fakeSession()
    const asked = later<Awaited<ReturnType<typeof wallet.wallet.sign>>>()
    wallet.wallet.sign.mockReturnValue(asked.promise)
    const attempt = controller.signIn('Phantom')
    await settle()
    controller.closeDialog()
    asked.resolve({ signature: new Uint8Array(64), signedMessage: null })
    await attempt
    expect(server.verify).not.toHaveBeenCalled()
  })

  test('a sign-in that is verified after the dialog was closed counts', async () => {
    const { controller, server } = fakeSession()
    const verified = later<ReturnType<typeof userOf>>()
    server.verify.mockReturnValue(verified.promise)
    const attempt = controller.signIn('Phantom')
    await settle()
    controller.closeDialog()
    server.session.set(userOf('ann'))
    verified.resolve(userOf('ann'))
    await attempt
    expect(viewOf(controller.state.get()).status).toBe('signed-in')
  })

  test('an older response about the user doesn’t undo it', async () => {
    const { controller, server } = fakeSession()
    const answer = later<null>()
    server.user.mockReturnValueOnce(answer.promise)
    controller.start()
    await controller.signIn('Phantom')
    answer.resolve(null)
    await settle()
    expect(viewOf(controller.state.get()).status).toBe('signed-in')
  })
})

describe('account changes', () => {
  test('to no account sign out, here, on the server and in other tabs', async () => {
    const { controller, wallet, server, send } = await signedIn()
    send.mockClear()
    wallet.changeTo(null)
    await settle()
    expect(server.logout).toHaveBeenCalledOnce()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-out', address: null })
    expect(storedKeys()).toEqual([null, null])
    expect(wallet.listeners.size).toBe(0)
    expect(send).toHaveBeenCalledOnce()
    expect(wallet.wallet.disconnect).not.toHaveBeenCalled()
  })

  test('to another account update the address and lock the page until it has signed in', async () => {
    const { controller, wallet, server } = await signedIn()
    wallet.changeTo('bob')
    expect(viewOf(controller.state.get())).toMatchObject({
      status: 'signed-in',
      user: { walletAddress: 'ann' },
      address: 'bob',
      walletMismatch: true,
    })
    expect(storedKeys()).toEqual(['bob', 'true'])
    expect(server.logout).not.toHaveBeenCalled()

    wallet.wallet.connect.mockResolvedValue('bob')
    await controller.signIn('Phantom')
    expect(viewOf(controller.state.get())).toMatchObject({ user: { walletAddress: 'bob' }, walletMismatch: false })
  })

  test('back to the account that signed in need no second signature', async () => {
    const { controller, wallet, server } = await signedIn()
    wallet.changeTo('bob')
    wallet.wallet.connect.mockResolvedValue('ann')
    await controller.signIn('Phantom')
    expect(server.challenge).toHaveBeenCalledOnce()
    expect(controller.state.get()).toMatchObject({ dialogOpen: false, attempt: { stage: 'idle' }, wallet: 'ann' })
  })

  test('to the same account are ignored', async () => {
    const { controller, wallet } = await signedIn()
    const before = controller.state.get()
    wallet.changeTo('ann')
    expect(controller.state.get()).toBe(before)
  })

  test('to no account forget the wallet even if the server is unreachable', async () => {
    const { controller, wallet, server } = await signedIn()
    server.logout.mockRejectedValue(new Error('network'))
    wallet.changeTo(null)
    await settle()
    expect(storedKeys()).toEqual([null, null])
    expect(controller.state.get()).toMatchObject({ wallet: null, user: { walletAddress: 'ann' } })
  })
})

describe('logging out', () => {
  test('ends the session, disconnects the wallet and notifies the other tabs', async () => {
    const { controller, wallet, server, send } = await signedIn()
    send.mockClear()
    server.logout.mockImplementation(() => {
      expect(storedKeys()).toEqual([null, null])
      return Promise.resolve()
    })
    await controller.logout()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-out', address: null })
    expect(wallet.wallet.disconnect).toHaveBeenCalledOnce()
    expect(send).toHaveBeenCalledOnce()
  })

  test('does not need the wallet', async () => {
    const { controller, wallet } = await signedIn()
    wallet.wallet.disconnect.mockRejectedValue(new Error('gone'))
    await controller.logout()
    expect(viewOf(controller.state.get()).status).toBe('signed-out')
  })

  test('changes nothing if the server is unreachable', async () => {
    const { controller, wallet, server } = await signedIn()
    server.logout.mockRejectedValue(new Error('network'))
    await expect(controller.logout()).rejects.toThrow('network')
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-in', address: 'ann' })
    expect(storedKeys()).toEqual(['ann', 'true'])
    expect(wallet.wallet.disconnect).not.toHaveBeenCalled()
  })
})

describe('another tab', () => {
  test('that signed in signs this one in and connects its wallet', async () => {
    const { controller, server, wallet, notifyFromOtherTab } = fakeSession()
    controller.start()
    await settle()
    server.session.set(userOf('ann'))
    rememberWallet('ann')
    notifyFromOtherTab()
    await settle()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-in', address: 'ann' })
    expect(wallet.wallet.connect).toHaveBeenCalledWith({ silent: true })
  })

  test('that signed out signs this one out', async () => {
    const { controller, server, wallet, notifyFromOtherTab } = await signedIn()
    server.session.set(null)
    localStorage.clear()
    notifyFromOtherTab()
    await settle()
    expect(viewOf(controller.state.get())).toMatchObject({ status: 'signed-out', address: null })
    expect(wallet.listeners.size).toBe(0)
  })

  test('is ignored after stopping', async () => {
    const { controller, server, notifyFromOtherTab } = fakeSession()
    controller.start()()
    server.user.mockClear()
    notifyFromOtherTab()
    await settle()
    expect(server.user).not.toHaveBeenCalled()
  })
})

test('a session that the server has ended is noticed on refresh', async () => {
  const { controller, server } = await signedIn()
  server.session.set(null)
  await controller.refresh()
  expect(viewOf(controller.state.get()).status).toBe('signed-out')
})

test('a refresh without a response changes nothing', async () => {
  const { controller, server } = await signedIn()
  server.user.mockRejectedValue(new Error('network'))
  await controller.refresh()
  expect(viewOf(controller.state.get()).status).toBe('signed-in')
})
