import { type ComponentProps, useId } from 'react'
import { useT } from '@/i18n'
import { type NumberKind, type Reading, readNumber } from '@/lib/parse-number'
import { fixed } from '@/lib/format'
import { useDebounced } from '@/lib/use-debounced'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'

interface NumberInputProps extends Omit<ComponentProps<'input'>, 'type' | 'inputMode'> {
  kind: NumberKind
}

/** A text input, because number inputs drop characters such as a comma. */
export function NumberInput({ kind, ...rest }: NumberInputProps) {
  // Numeric keypads have no minus sign.
  const inputMode = kind.signed ? 'text' : kind.decimals > 0 ? 'decimal' : 'numeric'
  return <Input {...rest} inputMode={inputMode} autoComplete="off" />
}

/**
 * Problem of a number's format; '' while `NumberChoices` asks, undefined if the field's own text applies.
 */
export function useNumberProblem(reading: Reading, { decimals }: NumberKind): string | undefined {
  const t = useT().shell.numbers
  if ('choices' in reading) return ''
  if ('value' in reading || reading.problem === 'unreadable') return undefined
  return decimals === 0 ? t.whole : t.decimals(decimals)
}

interface NumberChoicesProps {
  text: string
  kind: NumberKind
  onChoose: (value: string) => void
}

/** Asks which number was meant, once typing pauses. */
export function NumberChoices({ text, kind, onChoose }: NumberChoicesProps) {
  const t = useT().shell.numbers
  const id = useId()
  const paused = useDebounced(text) === text
  const reading = readNumber(text, kind)
  if (!paused || !('choices' in reading)) return null
  return (
    <div role="group" aria-labelledby={id} className="mt-1.5 flex flex-wrap items-center gap-2">
      <span id={id} role="status" className="text-[0.8125rem] font-medium">
        {t.which}
      </span>
      {reading.choices.map((value) => (
        <Button key={value} variant="secondary" size="sm" onClick={() => onChoose(value)}>
          {fixed(Number(value), kind.decimals)}
        </Button>
      ))}
    </div>
  )
}
