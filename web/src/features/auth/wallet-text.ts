import type { Dictionary } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { WalletError, demoId } from './wallets/wallet'

/** What a wallet is called on the screen. */
export function walletLabel(id: string, t: Dictionary): string {
  return id === demoId ? t.identity.demoWallet : id
}

/** Why a sign-in failed: the wallet's part in our words, the server's as everywhere. */
export function signInErrorText(error: unknown, walletId: string, t: Dictionary): string {
  return error instanceof WalletError
    ? t.identity.walletErrors[error.problem](walletLabel(walletId, t), error.message)
    : errorText(error, t)
}
