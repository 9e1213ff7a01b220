import { config } from '@/lib/config'
import { WalletError } from '../wallets/wallet'
import { prfInput } from './key'
import { newPromptSignal } from './prompt'

/** A passkey that the user has just created, or verified with. */
export interface PasskeyResult {
  /** Base64url of the credential id */
  id: string
  /** 32 secret bytes; undefined if the passkey has no PRF. Deriving the key overwrites them. */
  prfOutput: Uint8Array<ArrayBuffer> | undefined
}

const timeout = 5 * 60_000
const ed25519 = -8
const es256 = -7
const rs256 = -257

/** Whether this page may hold passkey wallets, and this browser can. Scripts of others must not run in our origin. */
export async function supportsPasskeyWallets(): Promise<boolean> {
  if (!isWebAuthnAvailable()) return false
  try {
    const capabilities = await PublicKeyCredential.getClientCapabilities?.()
    if (capabilities?.['extension:prf'] === false) return false
    await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify'])
    return true
  } catch {
    return false
  }
}

/** The server names no host for passkeys where they would be unsafe or impossible. */
const isWebAuthnAvailable = () =>
  config.passkeyHost !== '' && window.isSecureContext && 'PublicKeyCredential' in window && 'credentials' in navigator

/** Has the user create a passkey for a new wallet. The known ones prevent a second wallet on the same device. */
export async function createPasskey(name: string, known: readonly string[]): Promise<PasskeyResult> {
  const created = await credentialFrom(
    navigator.credentials.create({
      signal: newPromptSignal(),
      publicKey: {
        rp: { id: config.passkeyHost, name: 'Kaibao' },
        // Fresh for each wallet: a passkey with the id of an earlier one would replace it.
        user: { id: crypto.getRandomValues(new Uint8Array(32)), name, displayName: name },
        // Nobody checks the passkey's own signature: its PRF output is what we need.
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        pubKeyCredParams: [ed25519, es256, rs256].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        excludeCredentials: descriptors(known),
        extensions: { prf: { eval: { first: prfInput } } },
        timeout,
      },
    }),
    'passkey-unusable',
  )
  return resultOf(created)
}

/** Has the user verify with a passkey: one of those given, or any of this site. */
export async function requestPasskey(allowed: readonly string[] = []): Promise<PasskeyResult> {
  const found = await credentialFrom(
    navigator.credentials.get({
      signal: newPromptSignal(),
      publicKey: {
        rpId: config.passkeyHost,
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        allowCredentials: descriptors(allowed),
        userVerification: 'required',
        extensions: { prf: { eval: { first: prfInput } } },
        timeout,
      },
    }),
    'passkey-unreadable',
  )
  return resultOf(found)
}

/** Asks the user's device to delete a passkey or hide it. Browsers without the call leave that to the user. */
export async function deletePasskey(id: string): Promise<void> {
  await PublicKeyCredential.signalUnknownCredential?.({ rpId: config.passkeyHost, credentialId: id }).catch(() => {})
}

function resultOf(credential: PublicKeyCredential): PasskeyResult {
  const first = credential.getClientExtensionResults().prf?.results?.first
  return { id: base64url(new Uint8Array(credential.rawId)), prfOutput: first && bytesOf(first) }
}

const bytesOf = (source: BufferSource): Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)

/** Why a passkey can't be a wallet here: a new one may be deleted, but one that existed may hold a wallet. */
type Unsupported = 'passkey-unusable' | 'passkey-unreadable'

async function credentialFrom(
  answer: Promise<Credential | null>,
  unsupported: Unsupported,
): Promise<PublicKeyCredential> {
  try {
    const credential = await answer
    if (credential instanceof PublicKeyCredential) return credential
  } catch (error) {
    throw toWalletError(error, unsupported)
  }
  throw new WalletError('passkey-failed')
}

/** Browsers say NotAllowedError for a canceled or expired prompt and for a missing passkey, so that sites can't tell. */
function toWalletError(error: unknown, unsupported: Unsupported): WalletError {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return new WalletError('passkey-exists')
  if (name === 'NotAllowedError' || name === 'AbortError') return new WalletError('passkey-cancelled')
  if (name === 'NotSupportedError' || name === 'ConstraintError') return new WalletError(unsupported)
  return new WalletError('passkey-failed', error instanceof Error ? error.message : '')
}

const descriptors = (ids: readonly string[]): PublicKeyCredentialDescriptor[] =>
  ids.map((id) => ({ type: 'public-key', id: fromBase64url(id) }))

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
