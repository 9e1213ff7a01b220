import type { Dictionary } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { WalletError, demoId, newPasskeyId, passkeyId } from './wallets/wallet'

export function walletLabel(id: string, t: Dictionary): string {
  if (id === passkeyId || id === newPasskeyId) return t.identity.passkey
  return id === demoId ? t.identity.demoWallet : id
}

/** The wallet's name at the start of a sentence, or before "wallet". */
const errorLabel = (id: string, t: Dictionary) =>
  id === passkeyId || id === newPasskeyId ? t.identity.passkeyName : walletLabel(id, t)

/** The text of a failed sign-in: a wallet's error or the server's. */
export function signInErrorText(error: unknown, walletId: string, t: Dictionary): string {
  return error instanceof WalletError
    ? t.identity.walletErrors[error.problem](errorLabel(walletId, t), error.message)
    : errorText(error, t)
}
