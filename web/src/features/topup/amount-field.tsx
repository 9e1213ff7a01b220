import { useId } from 'react'
import { topupTexts } from './texts'
import { cn } from '@/lib/cn'
import { terms } from '@/lib/config'
import { points } from '@/lib/format'
import { Coin } from '@/domain/points'
import { Input } from '@/ui/input'

const bounds = [points(terms.leastDeposit * 100, 0), points(terms.mostDeposit * 100, 0)] as const

interface AmountFieldProps {
  text: string
  invalid: boolean
  onChange: (text: string) => void
}

/** Some amounts to pick, and a field for any other. */
export function AmountField({ text, invalid, onChange }: AmountFieldProps) {
  const t = topupTexts.useT()
  const id = useId()
  return (
    <>
      <fieldset className="mt-5 grid grid-cols-4 gap-3">
        <legend className="sr-only">{t.quick}</legend>
        {terms.quickDeposits.map((amount) => (
          <button
            key={amount}
            type="button"
            aria-pressed={text === String(amount)}
            onClick={() => onChange(String(amount))}
            className={cn(
              'flex h-16 items-center justify-center gap-2 rounded-xl border bg-background text-lg font-semibold tabular-nums transition-colors hover:border-line-strong',
              'aria-pressed:border-gold aria-pressed:bg-gold/10',
            )}
          >
            <Coin />
            {amount}
          </button>
        ))}
      </fieldset>
      <label htmlFor={id} className="mt-5 mb-1.5 block text-sm font-medium">
        {t.custom}
      </label>
      <Input
        id={id}
        type="number"
        inputMode="numeric"
        min={terms.leastDeposit}
        max={terms.mostDeposit}
        step={1}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={invalid}
        aria-describedby={`${id}-hint`}
      />
      <p
        id={`${id}-hint`}
        className={cn('mt-1.5 text-xs', invalid ? 'text-destructive-text' : 'text-muted-foreground')}
      >
        {(invalid ? t.outOfRange : t.customHint)(...bounds)}
      </p>
    </>
  )
}
