import { CircleAlert } from 'lucide-react'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { isPasskeyFailure, signInErrorText } from './wallet-text'
import { WalletError } from './wallets/wallet'

interface SignInErrorProps {
  error: unknown
  walletId: string
  className?: string
}

/** Why a sign-in or a signature failed. */
export function SignInError({ error, walletId, className }: SignInErrorProps) {
  const t = useT()
  return (
    <div className={cn('text-sm', className)}>
      <p role="alert" className="flex gap-2.5 text-pretty text-destructive-text">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>{signInErrorText(error, walletId, t)}</span>
      </p>
      {error instanceof WalletError && isPasskeyFailure(error, walletId) && error.message && (
        <details className="mt-2 pl-6.5 text-muted-foreground">
          <summary className="cursor-pointer">{t.identity.errorDetails}</summary>
          {/* In the browser's words, which Chromium, Firefox and Safari write in English. */}
          <p lang="en" className="mt-1 break-words">
            {error.message}
          </p>
        </details>
      )}
    </div>
  )
}
