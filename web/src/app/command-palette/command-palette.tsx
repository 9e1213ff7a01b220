import { lazy, Suspense, useEffect, useState } from 'react'

const JumpDialog = lazy(() => import('./command-palette-dialog'))

/** Whether the key presses ask for the jump: Ctrl K, on a Mac ⌘ K. */
function asks(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && event.key === 'k'
}

/** Opens the jump by its keys; its code comes with the first time. */
export function Jump() {
  // Undefined until the first time.
  const [open, setOpen] = useState<boolean>()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog that is open, such as an opening, is not to be left by accident.
      if (!asks(event) || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return <Suspense>{open !== undefined && <JumpDialog open={open} onOpenChange={setOpen} />}</Suspense>
}
