import { cn } from '@/lib/cn'

interface OddsBarProps {
  /** From 0 to 1. */
  chance: number
  /** The chance that fills the whole bar. */
  full: number
  /** Desirable tier: gold instead of slate. */
  bright: boolean
}

/** A bar whose length is a chance. Any chance above 0 is visible. */
export function OddsBar({ chance, full, bright }: OddsBarProps) {
  const width = full > 0 ? (chance / full) * 100 : 0
  return (
    <div aria-hidden className="h-1.5 w-full overflow-hidden rounded-full bg-muted">
      <div
        className={cn('h-full rounded-full', bright ? 'bg-gold' : 'bg-common')}
        style={{ width: chance > 0 ? `max(4px, ${width}%)` : 0 }}
      />
    </div>
  )
}
