import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { bidsTexts } from './texts'

interface DialogActionsProps {
  warning: string | undefined
  onCancel: () => void
  /** The submit button. */
  children: ReactNode
}

/** The buttons of a bid dialog, with a warning above that is announced when it appears. */
export function DialogActions({ warning, onCancel, children }: DialogActionsProps) {
  const { cancel } = bidsTexts.useT().bids.form
  return (
    <>
      <p
        role="alert"
        className="mt-4 rounded-xl bg-warning p-3 text-sm text-pretty text-warning-foreground empty:hidden"
      >
        {warning}
      </p>
      <div className="mt-5 flex justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          {cancel}
        </Button>
        {children}
      </div>
    </>
  )
}
