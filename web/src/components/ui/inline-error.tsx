import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { cn } from '@/lib/cn'

interface InlineErrorProps {
  text: string
  /** Its cause is shown after the text. */
  error?: unknown
  retry: () => void
  className?: string
}

/** A one-line error with a retry button, where `ErrorState` would be too large. */
export function InlineError({ text, error, retry, className }: InlineErrorProps) {
  const t = useT()
  return (
    <p
      role="alert"
      className={cn('flex flex-wrap items-center gap-x-2.5 gap-y-1 base:text-sm text-destructive-text', className)}
    >
      <span>{text}</span>
      {error !== undefined && <span className="text-muted-foreground">{errorText(error, t)}</span>}
      <button
        type="button"
        onClick={retry}
        className="rounded-sm font-medium text-gold-text underline underline-offset-4"
      >
        {t.shell.tryAgain}
      </button>
    </p>
  )
}
