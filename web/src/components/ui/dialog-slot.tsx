import { lazy, type ReactNode, Suspense } from 'react'
import { DialogBoundary } from './dialog-boundary'

const CrashedDialog = lazy(async () => ({ default: (await import('./dialog-parts')).CrashedDialog }))

interface DialogSlotProps {
  open: boolean
  onClose: () => void
  children: ReactNode
}

/** Renders a dialog that sends requests. Also catches crashes of the dialog's own component. */
export function DialogSlot({ open, onClose, children }: DialogSlotProps) {
  return (
    <DialogBoundary
      open={open}
      crash={(openedAt) => (
        <Suspense>
          <CrashedDialog open={open} openedAt={openedAt} close={onClose} />
        </Suspense>
      )}
    >
      <Suspense>{children}</Suspense>
    </DialogBoundary>
  )
}
