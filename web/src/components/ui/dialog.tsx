import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useSession } from '@/lib/session'

// Radix' dialog weighs 10 kB, so it is loaded when the first dialog opens.
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
 * Traps the focus and returns it on close. Closes when its user signs out, in this tab or another. Stays mounted after the
 * first opening, so that closing can be animated.
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

/** A state updater that closes the dialog of `shown`, unless it shows something else by now. */
export const clearIfCurrent =
  <T,>(shown: T | undefined) =>
  (current: T | undefined) =>
    current === shown ? undefined : current

export function DialogContent(props: ComponentProps<typeof Content>) {
  return <Content {...props} />
}

export function DialogHeader(props: ComponentProps<typeof Header>) {
  return <Header {...props} />
}
