import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { cn } from '@/lib/cn'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import type { DefinedOnly, SubmittableForm, FieldTexts } from './use-form'

export interface FormProps<T extends FieldTexts, Body> {
  form: SubmittableForm<T, Body>
  /** Disables the fields until the response arrives. */
  pending: boolean
  onSubmit: (body: DefinedOnly<Body>) => void
  /** Called instead of `onSubmit` if validation fails. */
  onInvalid?: () => void
  /** Shown next to the fields on wide screens. */
  aside?: ReactNode
  /** The buttons below the fields. */
  actions: ReactNode
  className?: string
  children: ReactNode
}

/** Focuses the first invalid field if validation fails, here or on the server. */
export function Form<T extends FieldTexts, Body>({
  form,
  pending,
  onSubmit,
  onInvalid,
  aside,
  actions,
  className,
  children,
}: FormProps<T, Body>) {
  const fields = useRef<HTMLFieldSetElement>(null)
  const submittedFrom = useRef<Element>(null)
  // Disabled fields lose the focus: restore it.
  useEffect(() => {
    if (pending || !submittedFrom.current) return
    const invalid = fields.current?.querySelector('[aria-invalid="true"]')
    const lost = !document.activeElement || document.activeElement === document.body
    const next = invalid ?? (lost ? submittedFrom.current : undefined)
    if (next instanceof HTMLElement) next.focus()
    submittedFrom.current = null
  }, [pending])

  function submit(event: FormEvent) {
    const { activeElement } = document
    const send = form.handleSubmit((body) => {
      if (pending) return
      submittedFrom.current = activeElement
      onSubmit(body)
    }, onInvalid)
    void send(event)
  }

  return (
    <form noValidate onSubmit={submit}>
      <div className={cn(aside && 'grid items-start gap-6 lg:grid-cols-2')}>
        <fieldset ref={fields} disabled={pending} className={cn('min-w-0', className)}>
          {children}
        </fieldset>
        {aside}
      </div>
      {actions}
    </form>
  )
}

interface SubmitButtonProps extends Omit<Parameters<typeof Button>[0], 'type'> {
  pending: boolean
}

export function SubmitButton({ pending, disabled = false, children, ...rest }: SubmitButtonProps) {
  return (
    <Button type="submit" disabled={disabled || pending} {...rest}>
      {pending && <Spinner />}
      <span>{children}</span>
    </Button>
  )
}
