import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
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
  /** A button for a choice that is better than submitting; it becomes the main one. */
  better?: ReactNode
  /** Shown above the buttons, and announced when they appear. */
  warnings: readonly (string | false | undefined)[]
  wide?: boolean
  onClose: () => void
}

/** The dialog around the forms that place, change, counter or accept a bid. */
export function BidDialogFrame<T extends FieldTexts, Body>(props: BidDialogFrameProps<T, Body>) {
  const { title, text, submit, disabled = false, better, warnings, wide = false, onClose, ...form } = props
  const { cancel } = bidsTexts.useT().bids.form
  const actions = (
    <>
      <div
        role="alert"
        className="mt-4 rounded-xl bg-warning p-3 text-sm text-pretty text-warning-foreground empty:hidden"
      >
        {warnings.map((warning) => warning && <p key={warning}>{warning}</p>)}
      </div>
      <div className={cn('mt-5 gap-3', better ? 'grid grid-cols-2 *:first:col-span-full' : 'flex justify-end')}>
        {better}
        <Button variant="secondary" onClick={onClose}>
          {cancel}
        </Button>
        <SubmitButton variant={better ? 'secondary' : 'primary'} pending={form.pending} disabled={disabled}>
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
