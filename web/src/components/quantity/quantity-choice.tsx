import { useId } from 'react'
import { useLossLeft, useTodaysOpens } from '@/api/quantity-limits'
import type { Pack } from '@/contract/types'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { points } from '@/lib/format'
import { type Quantity, type QuantityBlock, type QuantityLimits, quantities, quantityBlock } from '@/lib/quantity'
import type * as en from './texts/en'

type Texts = typeof en.quantity

interface QuantityChoiceProps {
  /** From the texts of the feature that shows it. */
  texts: Texts
  pack: Pick<Pack, 'priceCents' | 'supply' | 'sold'>
  balanceCents: number | undefined
  value: Quantity
  onChange: (quantity: Quantity) => void
  className?: string
}

/** How many packs to open: ×1, ×3, ×5 or ×10. Says why the smallest unavailable number can't be opened. */
export function QuantityChoice({ texts: t, pack, balanceCents, value, onChange, className }: QuantityChoiceProps) {
  const limits = useQuantityLimits(pack, balanceCents)
  const id = useId()
  const choices = quantities.map((quantity) => ({ quantity, block: quantityBlock(quantity, limits) }))
  const blocked = choices.find(({ block }) => block !== undefined)
  return (
    <fieldset className={className}>
      <legend className="sr-only">{t.label}</legend>
      <div className="inline-flex gap-0.5 rounded-xl border border-line bg-muted p-0.5">
        {choices.map(({ quantity, block }) => (
          <label
            key={quantity}
            title={block && whyText(block, t)}
            className={cn(
              'grid h-9 min-w-11 place-items-center rounded-[0.625rem] px-2 text-sm font-semibold tabular-nums has-checked:bg-background has-checked:text-gold-text has-checked:shadow-sm has-checked:ring-1 has-checked:ring-line-strong has-focus-visible:outline-2 has-focus-visible:outline-ring',
              block ? 'cursor-not-allowed opacity-45' : 'cursor-pointer text-muted-foreground hover:text-foreground',
            )}
          >
            <input
              type="radio"
              name={id}
              className="sr-only"
              checked={value === quantity}
              disabled={block !== undefined}
              aria-label={t.packs(quantity)}
              aria-describedby={block && `${id}-why`}
              onChange={() => onChange(quantity)}
            />
            <span aria-hidden>{t.choice(quantity)}</span>
          </label>
        ))}
      </div>
      {blocked?.block && (
        <p id={`${id}-why`} className="mt-1 text-xs text-muted-foreground">
          {t.blocked(blocked.quantity, whyText(blocked.block, t))}
        </p>
      )}
    </fieldset>
  )
}

function whyText(block: QuantityBlock, { why }: Texts): string {
  switch (block.kind) {
    case 'wait':
      return why.wait(block.seconds)
    case 'supply':
      return why.supply(block.left)
    case 'balance':
      return why.balance(points(block.missingCents))
    case 'loss-limit':
      return why.lossLimit(points(block.leftCents))
    case 'opens-day':
      return why.opensDay(block.left)
    case 'spend-day':
      return why.spendDay(points(block.leftCents))
  }
}

/** What limits the number of packs, as far as the page knows. */
function useQuantityLimits(
  { priceCents, supply, sold }: QuantityChoiceProps['pack'],
  balanceCents: number | undefined,
): QuantityLimits {
  const { secondsBetween, opensDay, spentDayCents } = config.rules
  const today = useTodaysOpens(secondsBetween === 0 && (opensDay > 0 || spentDayCents > 0))
  const left = (most: number, used: number | undefined) =>
    most > 0 && used !== undefined ? Math.max(most - used, 0) : undefined
  return {
    priceCents,
    balanceCents,
    packsLeft: supply < 0 ? undefined : Math.max(supply - (sold ?? 0), 0),
    lossLeftCents: useLossLeft(),
    secondsBetween,
    opensLeftToday: left(opensDay, today?.opens),
    spendLeftTodayCents: left(spentDayCents, today?.spentCents),
  }
}

/** The chosen number, or 1 if it can't be opened any more. */
export function useAvailableQuantity(
  pack: QuantityChoiceProps['pack'],
  balanceCents: number | undefined,
  wanted: Quantity,
): Quantity {
  return quantityBlock(wanted, useQuantityLimits(pack, balanceCents)) ? 1 : wanted
}
