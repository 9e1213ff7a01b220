import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Form, type FormProps, SubmitButton } from '@/components/ui/form/form'
import type { FieldTexts } from '@/components/ui/form/use-form'
import { bidsTexts } from './texts'

interface BidDialogFrameProps<T extends FieldTexts, Body> extends Omit<FormProps<T, Body>, 'actions' | 'className'> {
  title: string
  text: string
  /** Text of the submit button. */
  submit: string
  disabled?: boolean
  /** Shown above the buttons, and announced when it appears. */
  warning: string | undefined
  wide?: boolean
  onClose: () => void
}

/** The dialog around the forms that place, change, counter or accept a bid. */
export function BidDialogFrame<T extends FieldTexts, Body>(props: BidDialogFrameProps<T, Body>) {
  const { title, text, submit, disabled = false, warning, wide = false, onClose, ...form } = props
  const { cancel } = bidsTexts.useT().bids.form
  const actions = (
    <>
      <p
        role="alert"
        className="mt-4 rounded-xl bg-warning p-3 text-sm text-pretty text-warning-foreground empty:hidden"
      >
        {warning}
      </p>
      <div className="mt-5 flex justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {cancel}
        </Button>
        <SubmitButton pending={form.pending} disabled={disabled}>
          {submit}
        </SubmitButton>
      </div>
    </>
  )
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className={wide ? 'max-w-lg' : ''}>
        <DialogHeader title={title} text={text} />
        <Form {...form} className={wide ? 'space-y-4' : ''} actions={actions} />
      </DialogContent>
    </Dialog>
  )
}
