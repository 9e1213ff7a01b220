import { useId } from 'react'
import type { Pack } from '@/contract/types'
import { cn } from '@/lib/cn'
import type * as en from './texts/en'

interface SealedChoiceProps {
  texts: typeof en.sealed
  sealed: NonNullable<Pack['sealed']>
  /** Whether the pack is to be sealed. */
  value: boolean
  onChange: (sealed: boolean) => void
  className?: string
}

/** Sealed or instant, for packs that leave it to the player. */
export function SealedChoice({ texts: t, sealed: { leadSeconds }, value, onChange, className }: SealedChoiceProps) {
  const name = useId()
  return (
    <fieldset className={className}>
      <legend className="sr-only">{t.mode}</legend>
      <div className="grid grid-cols-2 gap-0.5 rounded-xl border border-line bg-muted p-0.5">
        {(['sealed', 'instant'] as const).map((mode) => (
          <label
            key={mode}
            className={cn(
              'cursor-pointer rounded-[0.625rem] px-3 py-1.5 text-center text-muted-foreground hover:text-foreground',
              'has-checked:bg-background has-checked:text-gold-text has-checked:shadow-sm has-checked:ring-1 has-checked:ring-line-strong has-focus-visible:outline-2 has-focus-visible:outline-ring',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={value === (mode === 'sealed')}
              onChange={() => onChange(mode === 'sealed')}
            />
            <span className="block text-sm font-semibold">{t.modes[mode].name}</span>
            <span className="block text-xs text-muted-foreground tabular-nums">{t.modes[mode].text(leadSeconds)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
