import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { cn } from '@/lib/cn'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import type { DefinedOnly, SubmittableForm, FieldTexts } from './use-form'

interface FormProps<T extends FieldTexts, Body> {
  form: SubmittableForm<T, Body>
  /** What was sent is not answered yet: until then nothing can be typed. */
  pending: boolean
  onSubmit: (body: DefinedOnly<Body>) => void
  /** Called instead where something is wrong with what is typed. */
  onInvalid?: () => void
  /** The buttons below the fields. */
  actions: ReactNode
  className?: string
  children: ReactNode
}

/** Sends what fits; else the first field that does not gets the focus, also when it is the server that refuses it. */
export function Form<T extends FieldTexts, Body>({
  form,
  pending,
  onSubmit,
  onInvalid,
  actions,
  className,
  children,
}: FormProps<T, Body>) {
  const fields = useRef<HTMLFieldSetElement>(null)
  const sentFrom = useRef<Element>(null)
  // What is disabled cannot keep the focus.
  useEffect(() => {
    if (pending || !sentFrom.current) return
    const wrong = fields.current?.querySelector('[aria-invalid="true"]')
    const lost = !document.activeElement || document.activeElement === document.body
    const next = wrong ?? (lost ? sentFrom.current : undefined)
    if (next instanceof HTMLElement) next.focus()
    sentFrom.current = null
  }, [pending])

  function submit(event: FormEvent) {
    const { activeElement } = document
    const send = form.handleSubmit((body) => {
      if (pending) return
      sentFrom.current = activeElement
      onSubmit(body)
    }, onInvalid)
    void send(event)
  }

  return (
    <form noValidate onSubmit={submit}>
      <fieldset ref={fields} disabled={pending} className={cn('min-w-0', className)}>
        {children}
      </fieldset>
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
