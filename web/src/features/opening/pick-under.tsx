import type { PulledItem } from '@/contract/types'
import { cn } from '@/lib/cn'
import { dollars, shortDollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { useOpeningT } from './texts'

const thresholdCents = [500, 1000, 1500, 2000, 2500, 5000, 10_000]

/** The values under which some but not all cards are, each with other cards. */
export function usefulThresholds(items: readonly Pick<PulledItem, 'baseValueCents'>[]): number[] {
  const count = (cents: number) => items.filter(({ baseValueCents }) => baseValueCents < cents).length
  return thresholdCents.filter(
    (cents, i) =>
      count(cents) > 0 && count(cents) < items.length && (i === 0 || count(cents) > count(thresholdCents[i - 1] ?? 0)),
  )
}

interface PickUnderProps {
  /** The items that can be sold. */
  items: readonly PulledItem[]
  selected: readonly PulledItem[]
  onPick: (items: readonly PulledItem[]) => void
}

/** Selects all cards under a value. */
export function PickUnder({ items, selected, onPick }: PickUnderProps) {
  const t = useOpeningT().opening.results
  const thresholds = usefulThresholds(items)
  const under = (cents: number) => items.filter(({ baseValueCents }) => baseValueCents < cents)
  if (items.length < 2) return null
  return (
    <div className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-muted-foreground">
      {thresholds.length > 0 && (
        <div role="group" aria-label={t.selectUnder} className="flex flex-wrap items-center gap-1.5">
          <span aria-hidden>{t.selectUnder}</span>
          {thresholds.map((cents) => {
            const some = under(cents)
            const on = some.length === selected.length && some.every((item) => selected.includes(item))
            return (
              <Button
                key={cents}
                size="sm"
                variant="secondary"
                aria-pressed={on}
                aria-label={t.under(dollars(cents))}
                onClick={() => onPick(on ? [] : some)}
                className={cn(
                  'rounded-full tabular-nums',
                  on && 'border-gold-text text-gold-text hover:border-line-strong',
                )}
              >
                {shortDollars(cents)}
              </Button>
            )
          })}
        </div>
      )}
      <span role="status" className="tabular-nums">
        {selected.length > 0 && t.picked(selected.length)}
      </span>
      {selected.length > 0 && (
        <Button size="sm" variant="ghost" onClick={() => onPick([])}>
          {t.clear}
        </Button>
      )}
    </div>
  )
}
