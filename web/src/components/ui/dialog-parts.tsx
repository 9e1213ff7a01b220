import { Dialog as Primitive } from 'radix-ui'
import { lazy, type ReactNode, Suspense } from 'react'
import { DialogBoundary } from './dialog-boundary'

export { Content, Header } from './dialog-content'

const DialogCrash = lazy(() => import('./dialog-crash'))

interface DialogRootProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}

interface CrashedDialogProps {
  open: boolean
  openedAt: number
  close: () => void
}

/** Replaces a dialog that crashed before it rendered its own root. */
export function CrashedDialog({ open, ...rest }: CrashedDialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={(nowOpen) => !nowOpen && rest.close()}>
      <DialogCrash {...rest} />
    </Primitive.Root>
  )
}

/** Radix' root with an error boundary that shows the crash in the dialog's place. */
export function Root({ open, onOpenChange, children }: DialogRootProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <DialogBoundary
        open={open}
        crash={(openedAt) => (
          <Suspense>
            <DialogCrash openedAt={openedAt} close={() => onOpenChange(false)} />
          </Suspense>
        )}
      >
        {children}
      </DialogBoundary>
    </Primitive.Root>
  )
}
