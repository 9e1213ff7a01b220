import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useSession } from '@/lib/session'

// Radix' dialog weighs 10 kB: it comes with the first dialog that opens, not with the first page.
const parts = () => import('./dialog-parts')
const Root = lazy(async () => ({ default: (await parts()).Root }))
const Content = lazy(async () => ({ default: (await parts()).Content }))
const Header = lazy(async () => ({ default: (await parts()).Header }))

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}

/**
 * Traps the focus while it is open and gives it back. Closes when its user signs out, in this tab or another. Rendered from its first opening on, so that it can
 * leave softly.
 */
export function Dialog({ open, onOpenChange, children }: DialogProps) {
  const [needed, setNeeded] = useState(open)
  if (open && !needed) setNeeded(true)
  useCloseOnSignOut(open, onOpenChange)
  if (!needed) return null
  return (
    <Suspense>
      <Root open={open} onOpenChange={onOpenChange}>
        {children}
      </Root>
    </Suspense>
  )
}

function useCloseOnSignOut(open: boolean, onOpenChange: (open: boolean) => void): void {
  const { user } = useSession()
  const userId = user?.id ?? null
  const lastUserId = useRef(userId)
  useEffect(() => {
    const left = lastUserId.current !== null && lastUserId.current !== userId
    lastUserId.current = userId
    if (left && open) onOpenChange(false)
  }, [userId, open, onOpenChange])
}

/** Ends the dialog of what was shown; one that has been opened for something else meanwhile stays. */
export const clearIfCurrent =
  <T,>(shown: T | undefined) =>
  (now: T | undefined) =>
    now === shown ? undefined : now

export function DialogContent(props: ComponentProps<typeof Content>) {
  return <Content {...props} />
}

export function DialogHeader(props: ComponentProps<typeof Header>) {
  return <Header {...props} />
}
