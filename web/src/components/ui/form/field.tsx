import { type ReactNode, useId } from 'react'
import { type FieldPath, type UseFormRegisterReturn, useFormState } from 'react-hook-form'
import { cn } from '@/lib/cn'
import type { FieldForm, FieldTexts } from './use-form'

/** Props that connect a control to the form, its label and its description. */
interface Control extends UseFormRegisterReturn {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string
}

export interface FieldProps<T extends FieldTexts, Body> {
  form: FieldForm<T, Body>
  name: FieldPath<T>
  label: string
  /** Shown below unless there is a problem. */
  hint?: string | undefined
  className?: string | undefined
  /** Shown after the hint. */
  below?: ReactNode
  children: (control: Control) => ReactNode
}

/** A labeled control with a hint or its problem below. */
export function Field<T extends FieldTexts, Body>(props: FieldProps<T, Body>) {
  const { form, name, label, hint, className, below, children } = props
  const id = useId()
  const { errors } = useFormState({ control: form.control, name, exact: true })
  const problem = errors[name]?.message
  const invalid = typeof problem === 'string'
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children({
        ...form.register(name),
        id,
        'aria-invalid': invalid,
        'aria-describedby': `${id}below`,
      })}
      <div id={`${id}below`}>
        <p
          aria-live="polite"
          className={cn(
            'text-[0.8125rem] leading-snug text-pretty not-empty:mt-1.5',
            invalid ? 'text-destructive-text' : 'text-muted-foreground',
          )}
        >
          {invalid ? form.fieldErrorText(problem, name) : hint}
        </p>
        {below}
      </div>
    </div>
  )
}
