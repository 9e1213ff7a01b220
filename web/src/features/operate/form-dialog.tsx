import type { ReactNode } from 'react'
import { operateTexts } from './texts'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/ui/dialog'
import { Form, SubmitButton } from '@/ui/form/form'
import type { Given, Submitting, Typed } from '@/ui/form/use-form'

interface FormDialogProps<T extends Typed, Body> {
  title: string
  text: string
  form: Submitting<T, Body>
  pending: boolean
  onSubmit: (body: Given<Body>) => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form that makes something. */
export function FormDialog<T extends Typed, Body>({
  title,
  text,
  form,
  pending,
  onSubmit,
  onClose,
  children,
}: FormDialogProps<T, Body>) {
  const t = operateTexts.useT()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-lg">
        <DialogHeader title={title} text={text} />
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
              <SubmitButton pending={pending}>{t.create}</SubmitButton>
            </div>
          }
        >
          {children}
        </Form>
      </DialogContent>
    </Dialog>
  )
}
