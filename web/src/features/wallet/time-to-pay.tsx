import { Clock } from 'lucide-react'
import { cn } from '@/lib/cn'
import { clockText, spokenLeft } from '@/lib/time-left'
import { walletTexts } from './texts'

interface TimeToPayProps {
  /** Milliseconds; undefined until the server's clock is known. */
  left: number | undefined
  className?: string
}

/** Countdown of a payment. Screen readers hear it at a few moments only, not every second. */
export function TimeToPay({ left, className }: TimeToPayProps) {
  const t = walletTexts.useT().topup
  if (left === undefined) return null
  const spoken = left > 0 ? spokenLeft(left, t) : ''
  return (
    <div className={cn('flex items-center gap-1.5 text-sm text-muted-foreground', className)}>
      <Clock aria-hidden className="size-3.5 shrink-0" />
      {left > 0 ? (
        <p>
          <span>{t.timeLeft}</span>{' '}
          <span role="timer" className="font-semibold text-foreground tabular-nums">
            {clockText(left, t)}
          </span>
        </p>
      ) : (
        <p>{t.timeOver}</p>
      )}
      <p role="status" className="sr-only">
        {left > 0 ? spoken && `${t.timeLeft}: ${spoken}` : t.timeOver}
      </p>
    </div>
  )
}
