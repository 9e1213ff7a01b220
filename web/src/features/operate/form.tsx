import { type FormEvent, type ReactNode, useId } from 'react'
import { operateTexts } from './texts'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/ui/dialog'
import { Spinner } from '@/ui/spinner'

interface FormDialogProps {
  title: string
  text: string
  pending: boolean
  onSubmit: (fields: FormData) => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form; the browser itself refuses what is required and missing. */
export function FormDialog({ title, text, pending, onSubmit, onClose, children }: FormDialogProps) {
  const t = operateTexts.useT()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!pending) onSubmit(new FormData(event.currentTarget))
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-lg">
        <DialogHeader title={title} text={text} />
        <form onSubmit={submit} className="grid grid-cols-2 items-start gap-4">
          {children}
          <div className="col-span-2 mt-2 flex justify-end gap-3">
            <Button variant="secondary" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" disabled={pending}>
              {pending && <Spinner />}
              {t.create}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}

/** What ties a control to its label and to the reason why it is refused. */
interface Control {
  id: string
  'aria-invalid'?: true
  'aria-describedby'?: string
}

interface FieldProps {
  label: string
  /** Why the server refuses what stands here. */
  reason?: string | undefined
  wide?: boolean
  children: (control: Control) => ReactNode
}

export function Field({ label, reason, wide = false, children }: FieldProps) {
  const id = useId()
  const reasonId = `${id}reason`
  return (
    <div className={wide ? 'col-span-2' : undefined}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children(reason ? { id, 'aria-invalid': true, 'aria-describedby': reasonId } : { id })}
      {reason && (
        <p id={reasonId} className="mt-1.5 text-[0.8125rem] leading-snug text-pretty text-destructive-text">
          {reason}
        </p>
      )}
    </div>
  )
}

/** Writes into a control of a form, as its user would. */
export function fill(form: HTMLFormElement | null, name: string, value: string): void {
  const control = form?.elements.namedItem(name)
  if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value
}
