import type { ReactNode } from 'react'
import { adminTexts } from './texts'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Form, SubmitButton } from '@/components/ui/form/form'
import type { DefinedOnly, SubmittableForm, FieldTexts } from '@/components/ui/form/use-form'

interface FormDialogProps<T extends FieldTexts, Body> {
  title: string
  text: string
  /** What the button says; without it that something is made. */
  confirm?: string
  form: SubmittableForm<T, Body>
  pending: boolean
  onSubmit: (body: DefinedOnly<Body>) => void
  onClose: () => void
  /** Of the dialog, such as its width. */
  className?: string
  /** Stands beside the fields, where there is room. */
  aside?: ReactNode
  children: ReactNode
}

/** A dialog with a form that makes or decides something. */
export function FormDialog<T extends FieldTexts, Body>({
  title,
  text,
  confirm,
  form,
  pending,
  onSubmit,
  onClose,
  className = 'max-w-lg',
  aside,
  children,
}: FormDialogProps<T, Body>) {
  const t = adminTexts.useT().admin
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className={className}>
        <DialogHeader title={title} text={text} />
        <div className={aside ? 'grid items-start gap-6 lg:grid-cols-2' : undefined}>
          <Form
            form={form}
            pending={pending}
            onSubmit={onSubmit}
            className="grid grid-cols-2 items-start gap-4"
            actions={
              <div className="mt-6 flex justify-end gap-3">
                <Button variant="secondary" onClick={onClose}>
                  {t.cancel}
                </Button>
                <SubmitButton pending={pending}>{confirm ?? t.create}</SubmitButton>
              </div>
            }
          >
            {children}
          </Form>
          {aside}
        </div>
      </DialogContent>
    </Dialog>
  )
}
