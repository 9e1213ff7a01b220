import type { ReactNode } from 'react'
import { adminTexts } from './texts'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Form, SubmitButton } from '@/components/ui/form/form'
import type { DefinedOnly, SubmittableForm, FieldTexts } from '@/components/ui/form/use-form'

interface FormDialogProps<T extends FieldTexts, Body> {
  title: string
  text: string
  /** Label of the submit button; "Create" by default. */
  confirm?: string
  form: SubmittableForm<T, Body>
  pending: boolean
  onSubmit: (body: DefinedOnly<Body>) => void
  onClose: () => void
  /** Class of the dialog, such as its width. */
  className?: string
  /** Shown next to the form on wide screens. */
  aside?: ReactNode
  children: ReactNode
}

/** A dialog with a form, a cancel and a submit button. */
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
