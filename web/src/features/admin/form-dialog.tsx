import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
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
  /** Label of the other button; "Cancel" by default. */
  cancel?: string | undefined
  /** Marks an act that takes something away or can't be undone. */
  destructive?: boolean
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

/** A dialog with a form, a cancel and a submit button, which stay in view while the form scrolls. */
export function FormDialog<T extends FieldTexts, Body>({
  title,
  text,
  confirm,
  cancel,
  destructive = false,
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
      <DialogContent className={cn('scroll-pb-24', className)}>
        <DialogHeader title={title} text={text} />
        <Form
          form={form}
          pending={pending}
          onSubmit={onSubmit}
          className="grid grid-cols-2 items-start gap-4"
          aside={aside}
          actions={
            <div className="sticky -bottom-6 -mx-6 mt-2 -mb-6 flex justify-end gap-3 rounded-b-2xl bg-card px-6 pt-4 pb-6 shadow-[0_-1rem_1rem_-0.75rem_var(--card)]">
              <Button variant="secondary" onClick={onClose}>
                {cancel ?? t.cancel}
              </Button>
              <SubmitButton variant={destructive ? 'destructive' : 'primary'} pending={pending}>
                {confirm ?? t.create}
              </SubmitButton>
            </div>
          }
        >
          {children}
        </Form>
      </DialogContent>
    </Dialog>
  )
}
