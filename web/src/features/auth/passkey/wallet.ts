import { getWallets } from '@wallet-standard/app'
import type { Wallet as StandardWallet, WalletAccount } from '@wallet-standard/base'
import type { StandardConnectInput, StandardEventsListeners } from '@wallet-standard/features'
import type { Challenge } from '@/api/session'
import { walletOnBreak } from '@/lib/wallet-break'
import { fromBase58 } from '../wallets/base58'
import { WalletError, passkeyId } from '../wallets/wallet'
import { createPasskey, deletePasskey, supportsPasskeyWallets, requestPasskey } from './webauthn'
import { deriveSecretKey, deriveKey } from './key'
import { passkeyMemory, passkeyStorageKey } from './memory'
import { ask } from './question'

const icon =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyNCAyNCIgZmlsbD0ibm9uZSIgc3Ryb2tlPSIjYjg4OTJiIiBzdHJva2Utd2lkdGg9IjIiPjxjaXJjbGUgY3g9IjgiIGN5PSIxNiIgcj0iNSIvPjxwYXRoIGQ9Ik0xMS41IDEyLjUgMjAgNG0tNCA0IDMgMyIvPjwvc3ZnPg=='

/**
 * Registers the wallet with the Wallet Standard, where this page and browser can hold passkey wallets. Returns a function
 * that unregisters it.
 */
export async function registerPasskeyWallet(): Promise<(() => void) | undefined> {
  return (await supportsPasskeyWallets()) ? getWallets().register(passkeyWallet()) : undefined
}

/** A wallet whose keys are derived from passkeys. It keeps no key: each signature takes a touch. */
function passkeyWallet(): StandardWallet {
  let accounts: readonly WalletAccount[] = []
  const listeners = new Set<StandardEventsListeners['change']>()

  function setAccounts(next: readonly WalletAccount[]): void {
    if (next[0]?.address === accounts[0]?.address) return
    accounts = next
    for (const listener of listeners) listener({ accounts })
  }

  function connected(address: string) {
    passkeyMemory.connect(address)
    setAccounts([accountOf(address)])
    return { accounts }
  }

  async function connect(input?: StandardConnectInput) {
    if (!input?.silent) return connected(await chooseWallet())
    setAccounts(rememberedAccounts())
    return { accounts }
  }

  function disconnect() {
    passkeyMemory.disconnect()
    setAccounts([])
    return Promise.resolve()
  }

  // Another tab has connected or disconnected.
  window.addEventListener('storage', ({ key }) => {
    if (key === passkeyStorageKey && accounts.length > 0) setAccounts(rememberedAccounts())
  })

  return {
    version: '1.0.0',
    name: passkeyId,
    icon,
    chains,
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:disconnect': { version: '1.0.0', disconnect },
      'standard:events': {
        version: '1.0.0',
        on(_: 'change', listener: StandardEventsListeners['change']) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      'solana:signIn': { version: '1.0.0', signIn },
      'solana:signMessage': { version: '1.1.0', signMessage },
      'kaibao:create': { version: '1.0.0', create: async () => connected(await createWallet()) },
    },
  }
}

const chains = ['solana:mainnet'] as const

const accountOf = (address: string): WalletAccount => ({
  address,
  publicKey: fromBase58(address),
  chains,
  features: ['solana:signIn', 'solana:signMessage'],
})

function rememberedAccounts(): readonly WalletAccount[] {
  const { last, connected } = passkeyMemory.load()
  return connected && last ? [accountOf(last)] : []
}

/** Has the user touch one of their passkeys. Returns its address, once they agree if it isn't the last one. */
async function chooseWallet(): Promise<string> {
  const { id, prfOutput } = await requestPasskey()
  const { address } = await deriveKnownKey(id, prfOutput)
  const paused = walletOnBreak()
  if (paused && paused !== address) throw new WalletError('passkey-other')
  const { last } = passkeyMemory.load()
  if (last && last !== address) await ask({ kind: 'otherWallet', address, last }, () => Promise.resolve())
  return address
}

/** Creates a passkey and returns the new wallet's address. Known passkeys are neither replaced nor forgotten. */
async function createWallet(): Promise<string> {
  if (walletOnBreak()) throw new WalletError('unavailable')
  const known = passkeyMemory.load().known.map(({ id }) => id)
  // Kept for another try: the passkey exists even if the touch after it is canceled.
  let created: string | undefined
  return ask({ kind: 'create', known: known.length > 0 }, async () => {
    let prfOutput: Uint8Array<ArrayBuffer> | undefined
    if (!created) {
      const result = await createPasskey(`Kaibao wallet ${new Date().toISOString().slice(0, 10)}`, known)
      created = result.id
      passkeyMemory.remember(created, '')
      ;({ prfOutput } = result)
    }
    // Some devices evaluate the PRF only of a passkey that exists.
    prfOutput ??= (await requestPasskey([created])).prfOutput
    if (!prfOutput) {
      const withoutPrf = created
      created = undefined
      passkeyMemory.forget(withoutPrf)
      await deletePasskey(withoutPrf)
      throw new WalletError('passkey-unusable')
    }
    return (await deriveKnownKey(created, prfOutput)).address
  })
}

/** The key of a touched passkey, whose address is remembered. */
async function deriveKnownKey(id: string, prfOutput: Uint8Array<ArrayBuffer> | undefined) {
  if (!prfOutput) throw new WalletError('passkey-unreadable')
  const key = await deriveKey(prfOutput)
  passkeyMemory.remember(id, key.address)
  return key
}

/** Has the user touch the passkey of an address. */
function requestPasskeyOf(address: string) {
  const id = passkeyMemory.idOf(address)
  return requestPasskey(id ? [id] : [])
}

/** Shows a text, then has the user touch the account's passkey to sign it. */
function signText(address: string, message: Uint8Array) {
  const signedMessage = Uint8Array.from(message)
  return ask({ kind: 'sign', text: readableText(signedMessage), address }, async () => {
    const { id, prfOutput } = await requestPasskeyOf(address)
    const key = await deriveKnownKey(id, prfOutput)
    if (key.address !== address) throw new WalletError('passkey-other')
    return { signature: await key.sign(signedMessage), signedMessage }
  })
}

/** Users sign only what they can read: no transaction, and no text whose characters look reordered. */
function readableText(message: Uint8Array): string {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message)
  if (/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(text)) throw new WalletError('passkey-failed')
  return text
}

async function signMessage(...inputs: readonly { account: WalletAccount; message: Uint8Array }[]) {
  const signed = []
  for (const { account, message } of inputs) signed.push(await signText(account.address, message))
  return signed
}

async function signIn(...inputs: readonly Challenge['input'][]) {
  const signed = []
  for (const input of inputs) {
    if (input.domain !== window.location.host) throw new WalletError('passkey-failed', input.domain)
    const message = new TextEncoder().encode(signInText(input))
    signed.push({ account: accountOf(input.address), ...(await signText(input.address, message)) })
  }
  return signed
}

/** The text of Sign In With Solana. */
const signInText = ({
  domain,
  address,
  statement,
  ...fields
}: Challenge['input']) => `${domain} wants you to sign in with your Solana account:
${address}

${statement}

URI: ${fields.uri}
Version: ${fields.version}
Chain ID: ${fields.chainId}
Nonce: ${fields.nonce}
Issued At: ${fields.issuedAt}
Expiration Time: ${fields.expirationTime}`

/** Has the user touch the passkey of an address again, and returns the secret key as wallets import it. */
export async function exportWallet(address: string): Promise<string> {
  const { prfOutput } = await requestPasskeyOf(address)
  if (!prfOutput) throw new WalletError('passkey-unreadable')
  const exported = await deriveSecretKey(prfOutput)
  if (exported.address !== address) throw new WalletError('passkey-other')
  return exported.secretKey
}
