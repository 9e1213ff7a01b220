import { type FormEvent, type ReactNode, useId } from 'react'
import { operateTexts } from '@/i18n/operate'
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
        <form onSubmit={submit} className="grid grid-cols-2 gap-4">
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

interface FieldProps {
  label: string
  wide?: boolean
  children: (id: string) => ReactNode
}

export function Field({ label, wide = false, children }: FieldProps) {
  const id = useId()
  return (
    <div className={wide ? 'col-span-2' : undefined}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

/** The text of a field, without the spaces around it. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
