import { type ComponentProps, useId } from 'react'
import { cn } from '@/lib/cn'
import { Input } from '@/ui/input'

interface ProfileFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'onChange'> {
  label: string
  /** What stands below it while nothing is wrong. */
  hint: string
  problem: string | undefined
  onText: (text: string) => void
}

/** A field that says below it what it wants, or what is wrong. */
export function ProfileField({ label, hint, problem, onText, ...rest }: ProfileFieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <Input
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}hint`}
        onChange={(event) => onText(event.currentTarget.value)}
        {...rest}
      />
      <p
        id={`${id}hint`}
        aria-live="polite"
        className={cn('mt-1.5 text-xs leading-5', problem ? 'text-destructive-text' : 'text-muted-foreground')}
      >
        {problem ?? hint}
      </p>
    </div>
  )
}
