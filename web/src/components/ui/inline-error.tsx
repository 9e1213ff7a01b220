import { useT } from '@/i18n'
import { cn } from '@/lib/cn'

interface InlineErrorProps {
  text: string
  retry: () => void
  className?: string
}

/** A one-line error with a retry button, where `ErrorState` would be too large. */
export function InlineError({ text, retry, className }: InlineErrorProps) {
  const t = useT()
  return (
    <p
      role="alert"
      className={cn('flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-destructive-text', className)}
    >
      <span>{text}</span>
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
