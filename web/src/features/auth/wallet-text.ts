import type { Dictionary } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { WalletError, demoId, newPasskeyId, passkeyId } from './wallets/wallet'

export function walletLabel(id: string, t: Dictionary): string {
  if (id === passkeyId || id === newPasskeyId) return t.identity.passkey
  return id === demoId ? t.identity.demoWallet : id
}

/** The text of a failed sign-in: a wallet's error or the server's. */
export function signInErrorText(error: unknown, walletId: string, t: Dictionary): string {
  return error instanceof WalletError
    ? t.identity.walletErrors[error.problem](walletLabel(walletId, t), error.message)
    : errorText(error, t)
}
