import { type ReactNode, useId } from 'react'
import { type FieldPath, type UseFormRegisterReturn, useFormState } from 'react-hook-form'
import { cn } from '@/lib/cn'
import type { FieldForm, FieldTexts } from './use-form'

/** What ties a control to the form, to its label and to what stands below it. */
interface Control extends UseFormRegisterReturn {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string
}

export interface FieldProps<T extends FieldTexts, Body> {
  form: FieldForm<T, Body>
  name: FieldPath<T>
  label: string
  /** What stands below it while nothing is wrong. */
  hint?: string | undefined
  className?: string | undefined
  /** Follows the hint. */
  below?: ReactNode
  children: (control: Control) => ReactNode
}

/** A field that says below it what it wants, or what is wrong. */
export function Field<T extends FieldTexts, Body>(props: FieldProps<T, Body>) {
  const { form, name, label, hint, className, below, children } = props
  const id = useId()
  const { errors } = useFormState({ control: form.control, name, exact: true })
  const problem = errors[name]?.message
  const wrong = typeof problem === 'string'
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children({
        ...form.register(name),
        id,
        'aria-invalid': wrong,
        'aria-describedby': `${id}below`,
      })}
      <div id={`${id}below`}>
        <p
          aria-live="polite"
          className={cn(
            'text-[0.8125rem] leading-snug text-pretty not-empty:mt-1.5',
            wrong ? 'text-destructive-text' : 'text-muted-foreground',
          )}
        >
          {wrong ? form.say(problem, name) : hint}
        </p>
        {below}
      </div>
    </div>
  )
}
