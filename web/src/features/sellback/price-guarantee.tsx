import { Lock as LockIcon } from 'lucide-react'
import type { QuotesResult } from '@/api/sellback'
import { clockText, spokenLeft } from '@/lib/time-left'
import { useTimeLeft } from '@/lib/use-time-left'
import { sellbackTexts } from './texts'

interface PriceGuaranteeProps {
  quotes: QuotesResult
  /** Refetches the quotes. */
  refetch: () => void
}

/** Counts down to the first price guarantee that ends, then refetches the quotes. */
export function PriceGuarantee({ quotes: { lines, clockOffsetMs }, refetch }: PriceGuaranteeProps) {
  const t = sellbackTexts.useT()
  const floors = lines.flatMap(({ best, floorUntil }) =>
    best === 'house' && floorUntil ? [Date.parse(floorUntil)] : [],
  )
  const left = useTimeLeft(floors.length > 0 ? Math.min(...floors) : undefined, clockOffsetMs, refetch)
  if (floors.length === 0) return <p className="text-sm text-muted-foreground">{t.floating(lines.length)}</p>
  const locked = t.locked(floors.length, lines.length)
  const spoken = left > 0 && spokenLeft(left, t)
  return (
    <div className="text-sm text-muted-foreground">
      {left > 0 ? (
        <p className="flex items-baseline gap-2">
          <LockIcon aria-hidden className="size-3.5 shrink-0 translate-y-px text-gold-text" />
          <span>
            <span>{locked}</span>{' '}
            <span role="timer" className="font-semibold text-foreground tabular-nums">
              {clockText(left, t)}
            </span>
          </span>
        </p>
      ) : (
        <p>{t.over}</p>
      )}
      <p role="status" className="sr-only">
        {left === 0 ? t.over : spoken ? `${locked} ${spoken}` : ''}
      </p>
    </div>
  )
}
