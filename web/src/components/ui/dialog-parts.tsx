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

/** Stands for a dialog that crashed as a whole. */
export function CrashedDialog({ open, ...rest }: CrashedDialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={(now) => !now && rest.close()}>
      <DialogCrash {...rest} />
    </Primitive.Root>
  )
}

/** Radix' root; a crash below it is shown in the dialog's place. */
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
