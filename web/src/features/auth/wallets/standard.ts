import type { Wallet as StandardWallet, WalletAccount } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features'
import type { Challenge } from '@/api/session'
import { WalletError, checkedSignature, signInOrText, walletError, type Signed, type Wallet } from './wallet'

interface SignInFeature {
  'solana:signIn': {
    signIn: (
      input: Challenge['input'],
    ) => Promise<readonly { account: WalletAccount; signature: Uint8Array; signedMessage: Uint8Array }[]>
  }
}

interface SignMessageFeature {
  'solana:signMessage': {
    signMessage: (input: {
      account: WalletAccount
      message: Uint8Array
    }) => Promise<readonly { signature: Uint8Array; signedMessage: Uint8Array }[]>
  }
}

/** Our own feature, of the passkey wallet. */
interface CreateFeature {
  'kaibao:create': { create: () => Promise<{ accounts: readonly WalletAccount[] }> }
}

type Features = StandardConnectFeature &
  StandardEventsFeature &
  Partial<StandardDisconnectFeature & SignInFeature & SignMessageFeature & CreateFeature>

/** A wallet of the Wallet Standard, or null if it cannot sign in to Solana. */
export function fromStandard(wallet: StandardWallet): Wallet | null {
  return wallet.chains.some((chain) => chain.startsWith('solana:')) && canSignIn(wallet.features)
    ? adapt(wallet, wallet.features)
    : null
}

function canSignIn(features: object): features is Features {
  return (
    'standard:connect' in features &&
    'standard:events' in features &&
    ('solana:signIn' in features || 'solana:signMessage' in features)
  )
}

function adapt(wallet: StandardWallet, features: Features): Wallet {
  const create = features['kaibao:create']?.create
  return {
    id: wallet.name,
    icon: wallet.icon,
    connect: ({ silent }) => connect(features, silent).catch(rethrow),
    ...(create && { create: () => create().then(firstAddress).catch(rethrow) }),
    disconnect: async () => features['standard:disconnect']?.disconnect(),
    sign: (challenge) => sign(wallet, features, challenge).catch(rethrow),
    signText: (message, address) => signText(wallet, features, message, address).catch(rethrow),
    watch: (listener) =>
      features['standard:events'].on('change', ({ accounts }) => {
        if (accounts) listener(accounts[0]?.address ?? null)
      }),
  }
}

async function connect(features: Features, silent: boolean): Promise<string> {
  return firstAddress(await features['standard:connect'].connect(silent ? { silent } : undefined))
}

function firstAddress({ accounts: [account] }: { accounts: readonly WalletAccount[] }): string {
  if (!account) throw new WalletError('invalid-response')
  return account.address
}

async function sign(wallet: StandardWallet, features: Features, { input, message }: Challenge): Promise<Signed> {
  const feature = features['solana:signIn']
  const asText = () => signText(wallet, features, message, input.address)
  if (!feature) return asText()
  const signIn = async () => {
    const [answer] = await feature.signIn(input)
    return checkedSignature(answer?.signature, answer?.signedMessage ?? null)
  }
  return features['solana:signMessage'] ? signInOrText(signIn, asText) : signIn()
}

async function signText(wallet: StandardWallet, features: Features, message: string, address: string) {
  if (!features['solana:signMessage']) throw new WalletError('unavailable')
  const [answer] = await features['solana:signMessage'].signMessage({
    account: accountOf(wallet, address),
    message: new TextEncoder().encode(message),
  })
  return checkedSignature(answer?.signature, answer?.signedMessage ?? null)
}

function accountOf(wallet: StandardWallet, address: string): WalletAccount {
  const account = wallet.accounts.find((candidate) => candidate.address === address)
  if (!account) throw new WalletError('unavailable')
  return account
}

function rethrow(thrown: unknown): never {
  throw walletError(thrown)
}
