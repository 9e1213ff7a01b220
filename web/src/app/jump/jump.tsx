import { lazy, Suspense, useEffect, useState } from 'react'

const JumpDialog = lazy(() => import('./jump-dialog'))

/** Whether the key presses ask for the jump: Ctrl K, on a Mac ⌘ K. */
function asks(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k'
}

/** Opens the jump by its keys; its code comes with the first time. */
export function Jump() {
  const [open, setOpen] = useState(false)
  const [needed, setNeeded] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog that is open, such as an opening, is not to be left by accident.
      if (!asks(event) || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      setNeeded(true)
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return <Suspense>{needed && <JumpDialog open={open} onOpenChange={setOpen} />}</Suspense>
}
