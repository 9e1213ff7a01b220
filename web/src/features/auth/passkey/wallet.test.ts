import { getWallets } from '@wallet-standard/app'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { challengeFor } from '@test/fixtures/auth'
import { config } from '@/lib/config'
import { rememberBreak } from '@/lib/wallet-break'
import { fromStandard } from '../wallets/standard'
import { newPasskeyId, passkeyId, type Wallet } from '../wallets/wallet'
import { createDirectory } from '../wallets/directory'
import { passkeyMemory } from './memory'
import { passkeyEntries } from './wallet-entries'
import { openQuestion } from './question'
import { exportWallet, registerPasskeyWallet } from './wallet'

/** The address of the pinned vector (key.test.ts), whose PRF output is 0, 1, 2, … */
const address = '5RnUJir1uouPdARUYr7ejtkgPketEdaXvniQX7VdDveF'
const output = (first = 0) => Uint8Array.from({ length: 32 }, (_, i) => first + i).buffer

/** A passkey as browsers return it. */
class FakeCredential {
  static getClientCapabilities = () => Promise.resolve<Record<string, boolean>>({})
  static signalUnknownCredential = vi.fn<(options: object) => Promise<void>>(() => Promise.resolve())
  readonly rawId: ArrayBuffer

  constructor(
    id: number,
    private readonly prf: ArrayBuffer | undefined,
  ) {
    this.rawId = Uint8Array.of(id).buffer
  }

  getClientExtensionResults() {
    return { prf: { results: this.prf ? { first: this.prf } : {} } }
  }
}

const device = {
  create: vi.fn<(options: CredentialCreationOptions) => Promise<unknown>>(),
  get: vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>(),
}

let wallet: Wallet
let unregister: (() => void) | undefined

beforeEach(async () => {
  vi.stubGlobal('PublicKeyCredential', FakeCredential)
  Object.defineProperty(navigator, 'credentials', { value: device, configurable: true })
  vi.spyOn(config, 'passkeyHost', 'get').mockReturnValue('localhost')
  device.create.mockReset()
  device.get.mockReset()
  FakeCredential.signalUnknownCredential.mockClear()
  unregister = await registerPasskeyWallet()
  wallet = fromStandard(getWallets().get().at(-1)!)!
})

afterEach(async () => {
  openQuestion.get()?.cancel()
  await wallet.disconnect()
  unregister?.()
  Reflect.deleteProperty(navigator, 'credentials')
})

/** Waits for a question and agrees to it. */
async function agree(kind: string): Promise<void> {
  await vi.waitFor(() => expect(openQuestion.get()?.question.kind).toBe(kind))
  await openQuestion.get()?.confirm()
}

const refused = (name: string) => Object.assign(new Error(name), { name })

test('is registered only where passkeys are safe and possible', async () => {
  vi.spyOn(config, 'passkeyHost', 'get').mockReturnValue('')
  await expect(registerPasskeyWallet()).resolves.toBeUndefined()
  vi.spyOn(config, 'passkeyHost', 'get').mockReturnValue('localhost')
  vi.spyOn(FakeCredential, 'getClientCapabilities').mockResolvedValue({ 'extension:prf': false })
  await expect(registerPasskeyWallet()).resolves.toBeUndefined()
  vi.spyOn(FakeCredential, 'getClientCapabilities').mockResolvedValue({})
  vi.spyOn(crypto.subtle, 'generateKey').mockRejectedValue(refused('NotSupportedError'))
  await expect(registerPasskeyWallet()).resolves.toBeUndefined()
  vi.stubGlobal('isSecureContext', false)
  await expect(registerPasskeyWallet()).resolves.toBeUndefined()
})

test('connects with any passkey of the site, then silently without a touch', async () => {
  await expect(wallet.connect({ silent: true })).rejects.toMatchObject({ problem: 'invalid-response' })
  device.get.mockResolvedValue(new FakeCredential(7, output()))
  await expect(wallet.connect({ silent: false })).resolves.toBe(address)
  expect(device.get).toHaveBeenCalledOnce()
  expect(device.get.mock.calls[0]?.[0].publicKey).toMatchObject({
    rpId: 'localhost',
    allowCredentials: [],
    userVerification: 'required',
  })
  await expect(wallet.connect({ silent: true })).resolves.toBe(address)
  expect(device.get).toHaveBeenCalledOnce()
  await wallet.disconnect()
  await expect(wallet.connect({ silent: true })).rejects.toMatchObject({ problem: 'invalid-response' })
})

test('creates with a fresh user id each time, and excludes known passkeys', async () => {
  passkeyMemory.remember('Bw', 'someone')
  device.create.mockImplementation(() => Promise.resolve(new FakeCredential(8, output())))
  for (let n = 0; n < 2; n += 1) {
    const created = wallet.create?.()
    await agree('create')
    await expect(created).resolves.toBe(address)
  }
  const [first, second] = device.create.mock.calls.map(([{ publicKey }]) => publicKey)
  expect(first).toMatchObject({
    rp: { id: 'localhost' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ type: 'public-key', id: Uint8Array.of(7) }],
  })
  expect(first?.user.name).toMatch(/^Kaibao wallet \d{4}-\d\d-\d\d$/)
  expect(first?.user.id).toHaveLength(32)
  expect(first?.user.id).not.toEqual(second?.user.id)
  expect(second?.excludeCredentials).toHaveLength(2)
  expect(device.get).not.toHaveBeenCalled()
})

test('asks again where create evaluates no PRF, and a canceled touch creates no second passkey', async () => {
  device.create.mockResolvedValue(new FakeCredential(9, undefined))
  device.get.mockRejectedValueOnce(refused('NotAllowedError'))
  device.get.mockResolvedValueOnce(new FakeCredential(9, output()))
  const created = wallet.create?.()
  await expect(agree('create')).rejects.toMatchObject({ problem: 'passkey-cancelled' })
  await agree('create')
  await expect(created).resolves.toBe(address)
  expect(device.create).toHaveBeenCalledOnce()
  expect(device.get.mock.calls[1]?.[0].publicKey?.allowCredentials).toEqual([
    { type: 'public-key', id: Uint8Array.of(9) },
  ])
  expect(passkeyMemory.idOf(address)).toBe('CQ')
})

test('ends the question if the device already has a wallet', async () => {
  device.create.mockRejectedValue(refused('InvalidStateError'))
  const created = wallet.create?.().catch((error: unknown) => error)
  await agree('create')
  await expect(created).resolves.toMatchObject({ problem: 'passkey-exists' })
  expect(openQuestion.get()).toBeNull()
})

test('forgets a passkey without PRF after creating it, but never one that existed', async () => {
  device.create.mockResolvedValue(new FakeCredential(9, undefined))
  device.get.mockResolvedValue(new FakeCredential(9, undefined))
  const created = wallet.create?.().catch((error: unknown) => error)
  await expect(agree('create')).rejects.toMatchObject({ problem: 'passkey-unusable' })
  expect(passkeyMemory.load().known).toEqual([])
  expect(FakeCredential.signalUnknownCredential).toHaveBeenCalledExactlyOnceWith({
    rpId: 'localhost',
    credentialId: 'CQ',
  })
  openQuestion.get()?.cancel()
  await expect(created).resolves.toMatchObject({ problem: 'cancelled' })
  await expect(wallet.connect({ silent: false })).rejects.toMatchObject({ problem: 'passkey-unreadable' })
  passkeyMemory.remember('CQ', address)
  await expect(exportWallet(address)).rejects.toMatchObject({ problem: 'passkey-unreadable' })
  expect(FakeCredential.signalUnknownCredential).toHaveBeenCalledOnce()
})

test.each([
  ['InvalidStateError', 'passkey-exists'],
  ['NotAllowedError', 'passkey-cancelled'],
  ['AbortError', 'passkey-cancelled'],
  ['NotSupportedError', 'passkey-unreadable'],
  ['ConstraintError', 'passkey-unreadable'],
  ['SecurityError', 'passkey-failed'],
])('a browser’s %s is %s', async (name, problem) => {
  device.get.mockRejectedValue(refused(name))
  await expect(wallet.connect({ silent: false })).rejects.toMatchObject({ problem })
})

test.each(['NotSupportedError', 'ConstraintError'])(
  'a browser’s %s while creating is passkey-unusable',
  async (name) => {
    device.create.mockRejectedValue(refused(name))
    const created = wallet.create?.().catch(() => {})
    await expect(agree('create')).rejects.toMatchObject({ problem: 'passkey-unusable' })
    openQuestion.get()?.cancel()
    await created
  },
)

test('shows each text and takes a touch of the wallet’s own passkey for it', async () => {
  device.get.mockImplementation(() => Promise.resolve(new FakeCredential(7, output())))
  await wallet.connect({ silent: false })
  for (const text of ['first\ntext', 'second']) {
    const signed = wallet.signText(text, address)
    await vi.waitFor(() => expect(openQuestion.get()?.question).toEqual({ kind: 'sign', text, address }))
    const touches = device.get.mock.calls.length
    await agree('sign')
    expect(new TextDecoder().decode((await signed).signedMessage!)).toBe(text)
    expect(device.get).toHaveBeenCalledTimes(touches + 1)
    expect(device.get.mock.lastCall?.[0].publicKey?.allowCredentials).toMatchObject([{ id: Uint8Array.of(7) }])
  }
})

test.each(['a\0b', 'pay \u202e05', 'two\u2028lines'])(
  'refuses the text %j, which can’t be read as it is',
  async (text) => {
    device.get.mockImplementation(() => Promise.resolve(new FakeCredential(7, output())))
    await wallet.connect({ silent: false })
    await expect(wallet.signText(text, address)).rejects.toMatchObject({ problem: 'passkey-failed' })
    expect(openQuestion.get()).toBeNull()
  },
)

test('signs in with the standard’s text for this site only', async () => {
  device.get.mockImplementation(() => Promise.resolve(new FakeCredential(7, output())))
  await wallet.connect({ silent: false })
  const { host } = window.location
  const input = { ...challengeFor(address).input, domain: host }
  const signed = wallet.sign({ input, message: 'unused' })
  await vi.waitFor(() => expect(openQuestion.get()).not.toBeNull())
  expect(openQuestion.get()?.question).toMatchObject({
    text: `${host} wants you to sign in with your Solana account:
${address}

Sign in to Kaibao.

URI: http://localhost
Version: 1
Chain ID: mainnet
Nonce: ${'0'.repeat(32)}
Issued At: 2026-01-01T00:00:00.000Z
Expiration Time: 2026-01-01T00:05:00.000Z`,
  })
  await agree('sign')
  await expect(signed).resolves.toMatchObject({ signature: expect.any(Uint8Array) })
  const other = { ...input, domain: 'evil.example' }
  await expect(wallet.sign({ input: other, message: 'x' })).rejects.toMatchObject({ problem: 'passkey-failed' })
})

test('refuses what people can’t read, another question at the same time, and another wallet’s passkey', async () => {
  device.get.mockImplementation(() => Promise.resolve(new FakeCredential(7, output())))
  await wallet.connect({ silent: false })
  await expect(wallet.signText('a\u0000transaction', address)).rejects.toMatchObject({ problem: 'passkey-failed' })
  const signed = wallet.signText('text', address).catch((error: unknown) => error)
  await vi.waitFor(() => expect(openQuestion.get()).not.toBeNull())
  await expect(wallet.signText('another', address)).rejects.toMatchObject({ problem: 'pending' })
  device.get.mockResolvedValueOnce(new FakeCredential(8, output(100)))
  await expect(agree('sign')).rejects.toMatchObject({ problem: 'passkey-other' })
  // The user can still sign with the right one.
  await agree('sign')
  await expect(signed).resolves.toMatchObject({ signature: expect.any(Uint8Array) })
})

test('what was canceled during the touch isn’t signed', async () => {
  device.get.mockImplementation(() => Promise.resolve(new FakeCredential(7, output())))
  await wallet.connect({ silent: false })
  let touch: (credential: unknown) => void = () => {}
  device.get.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        touch = resolve
      }),
  )
  const signed = wallet.signText('text', address).catch((error: unknown) => error)
  await vi.waitFor(() => expect(openQuestion.get()).not.toBeNull())
  const question = openQuestion.get()
  const confirming = question?.confirm()
  const { signal } = device.get.mock.lastCall![0]
  question?.cancel()
  expect(signal?.aborted).toBe(true)
  touch(new FakeCredential(7, output()))
  await confirming
  await expect(signed).resolves.toMatchObject({ problem: 'cancelled' })
})

test('a change in another tab is a change of account', async () => {
  device.get.mockImplementation(() => Promise.resolve(new FakeCredential(7, output())))
  await wallet.connect({ silent: false })
  const heard: (string | null)[] = []
  const stop = wallet.watch((shown) => heard.push(shown))
  passkeyMemory.disconnect()
  window.dispatchEvent(new StorageEvent('storage', { key: 'passkey-wallets' }))
  expect(heard).toEqual([null])
  stop()
})

test('during a break only the wallet on a break is offered', async () => {
  const offered = () => passkeyEntries().map(({ id }) => id)
  expect(offered()).toEqual([passkeyId, newPasskeyId])
  rememberBreak('somebody', { until: null })
  expect(offered()).toEqual([])
  device.get.mockImplementation(() => Promise.resolve(new FakeCredential(7, output())))
  await expect(wallet.connect({ silent: false })).rejects.toMatchObject({ problem: 'passkey-other' })
  await expect(wallet.create?.()).rejects.toMatchObject({ problem: 'unavailable' })
  rememberBreak(address, { until: '2999-01-01T00:00:00.000Z' })
  expect(offered()).toEqual([passkeyId])
  await expect(wallet.connect({ silent: false })).resolves.toBe(address)
  rememberBreak(address, { until: '2026-01-01T00:00:00.000Z' })
  expect(offered()).toEqual([passkeyId, newPasskeyId])
  rememberBreak(address, null)
  expect(offered()).toEqual([passkeyId, newPasskeyId])
})

test('the directory lists it once and creates through its second entry', async () => {
  const directory = createDirectory({ sandbox: true, passkeys: false })
  const stop = directory.start()
  await expect(directory.choose(passkeyId)).resolves.toMatchObject({ id: passkeyId })
  device.create.mockResolvedValue(new FakeCredential(8, output()))
  const chosen = await directory.choose(newPasskeyId)
  expect(chosen.id).toBe(passkeyId)
  const connected = chosen.connect({ silent: false })
  await agree('create')
  await expect(connected).resolves.toBe(address)
  expect(directory.list.get().map(({ id }) => id)).toEqual([passkeyId, 'demo'])
  stop()
})
