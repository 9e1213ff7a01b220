import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { number, points, priceTag } from '@/lib/format'

/** The Play Points coin. */
export function Coin({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden className={cn('inline-block base:size-[1.05em] shrink-0', className)}>
      <circle cx="10" cy="10" r="9" fill="var(--gold)" />
      <circle cx="10" cy="10" r="6.6" fill="none" stroke="var(--gold-foreground)" strokeOpacity=".38" />
      <path
        d="m10 5.300 1.350 2.950 3.150.4-2.300 2.200.6 3.150-2.800-1.550L7.200 14l.6-3.150L5.500 8.650l3.150-.4z"
        fill="var(--gold-foreground)"
        fillOpacity=".82"
      />
    </svg>
  )
}

/** What a point is worth, next to every price if the house rules require it. */
export function PointWorth({ className }: { className?: string }) {
  const t = useT()
  if (!config.rules.dollarsShown) return null
  return <span className={cn('font-normal base:text-muted-foreground', className)}>{t.shell.pointWorth}</span>
}

/** A price in points, the cents in small type. */
export function PriceTag({ cents }: { cents: number }) {
  const tag = priceTag(cents)
  return (
    <span>
      <span>{number(tag.points)}</span>
      {tag.cents && <span className="text-[0.6em] font-medium">{tag.cents}</span>}
    </span>
  )
}

interface PointsProps {
  cents: number
  /** Decimals shown: balances two, the pack page none. */
  digits?: 0 | 2
  className?: string
}

/** An amount of Play Points. */
export function Points({ cents, digits = 2, className }: PointsProps) {
  const t = useT()
  return (
    <span className={cn('inline-flex items-baseline base:gap-1.5 base:font-semibold tabular-nums', className)}>
      <Coin className="self-center" />
      <span>{points(cents, digits)}</span>
      <span className="sr-only">{t.shell.playPoints}</span>
    </span>
  )
}
