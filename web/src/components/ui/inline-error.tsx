import { useT } from '@/i18n'
import { cn } from '@/lib/cn'

interface InlineErrorProps {
  /** What could not be had. */
  text: string
  retry: () => void
  className?: string
}

/** An error state of one line, where a large one would push away what is there. */
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
