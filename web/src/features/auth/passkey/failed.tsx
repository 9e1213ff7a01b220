import { CircleAlert } from 'lucide-react'
import { useT } from '@/i18n'
import { signInErrorText } from '../wallet-text'
import { passkeyId, walletError } from '../wallets/wallet'

/** Why a touch of the passkey failed; null if it didn't. */
export function Failed({ error }: { error: unknown }) {
  const t = useT()
  if (error === null) return null
  return (
    <p role="alert" className="mt-4 flex gap-2.5 text-sm text-pretty text-destructive-text">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{signInErrorText(walletError(error), passkeyId, t)}</span>
    </p>
  )
}
