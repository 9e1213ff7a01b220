import { lazy, Suspense, useEffect, useState } from 'react'

const CommandPaletteDialog = lazy(() => import('./command-palette-dialog'))

/** Ctrl+K, or ⌘K on a Mac. */
function isShortcut(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && event.key === 'k'
}

/** Opens the palette by its shortcut; its code is loaded on first use. */
export function CommandPalette() {
  // Undefined until first opened.
  const [open, setOpen] = useState<boolean>()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Never interrupt an open dialog, such as a pack opening.
      if (!isShortcut(event) || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return <Suspense>{open !== undefined && <CommandPaletteDialog open={open} onOpenChange={setOpen} />}</Suspense>
}
