import type { Dictionary } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { WalletError, demoId, newPasskeyId, passkeyId } from './wallets/wallet'

export function walletLabel(id: string, t: Dictionary): string {
  if (isPasskey(id)) return t.identity.passkey
  return id === demoId ? t.identity.demoWallet : id
}

/** What the list says below a wallet while it connects or signs. */
export function progressText(stage: 'connecting' | 'signing', id: string, t: Dictionary): string {
  return stage === 'signing' && isPasskey(id) ? t.identity.signingPasskey : t.identity[stage](walletLabel(id, t))
}

/** The wallet's name at the start of a sentence, or before "wallet". */
const errorLabel = (id: string, t: Dictionary) => (isPasskey(id) ? t.identity.passkeyName : walletLabel(id, t))

const isPasskey = (id: string) => id === passkeyId || id === newPasskeyId

/** The text of a failed sign-in: a wallet's error or the server's. */
export function signInErrorText(error: unknown, walletId: string, t: Dictionary): string {
  if (!(error instanceof WalletError)) return errorText(error, t)
  const problem = isPasskeyFailure(error, walletId) ? 'passkey-failed' : error.problem
  return t.identity.walletErrors[problem](errorLabel(walletId, t), error.message)
}

/** Whether a passkey failed for a reason that only the browser's message tells. */
export const isPasskeyFailure = ({ problem }: WalletError, walletId: string) =>
  problem === 'passkey-failed' || (problem === 'failed' && isPasskey(walletId))
