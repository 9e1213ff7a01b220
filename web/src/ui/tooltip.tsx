import { Slot } from 'radix-ui'
import { type CSSProperties, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

const openDelayMs = 700
/** After a tooltip has closed, the next one opens at once for this long. */
const skipDelayMs = 300
/** Time to move the pointer from the element onto its tooltip. */
const graceMs = 100
const gapPx = 8
const halfMaxWidthPx = 136

let lastClosed = Number.NEGATIVE_INFINITY

interface TooltipProps {
  text: string
  side?: 'top' | 'right'
  /** The one focusable element the tooltip explains. */
  children: ReactNode
}

/** Explains an element under the pointer or the keyboard's focus. Radix' own weighs 14 kB on every first load. */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const id = useId()
  const timer = useRef<number>(undefined)
  const [anchor, setAnchor] = useState<DOMRect>()

  function after(ms: number, act: () => void) {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(act, ms)
  }
  function open(element: Element) {
    setAnchor(element.getBoundingClientRect())
  }
  function close() {
    window.clearTimeout(timer.current)
    if (anchor) lastClosed = performance.now()
    setAnchor(undefined)
  }

  useEffect(() => () => window.clearTimeout(timer.current), [])

  return (
    <>
      <Slot.Root
        aria-describedby={anchor && id}
        onPointerEnter={({ currentTarget, pointerType }) => {
          if (pointerType === 'touch') return
          after(performance.now() - lastClosed < skipDelayMs ? 0 : openDelayMs, () => open(currentTarget))
        }}
        onPointerLeave={() => after(graceMs, close)}
        onPointerDown={close}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && open(currentTarget)}
        onBlur={close}
      >
        {children}
      </Slot.Root>
      {anchor && (
        <Bubble
          id={id}
          style={place(anchor, side)}
          onEnter={() => window.clearTimeout(timer.current)}
          onDismiss={close}
        >
          {text}
        </Bubble>
      )}
    </>
  )
}

function place(anchor: DOMRect, side: 'top' | 'right'): CSSProperties {
  if (side === 'right') {
    const top = anchor.top + anchor.height / 2
    return { left: anchor.right + gapPx, top, transform: 'translateY(-50%)' }
  }
  const center = anchor.left + anchor.width / 2
  const left = Math.min(Math.max(center, halfMaxWidthPx), window.innerWidth - halfMaxWidthPx)
  return { left, top: anchor.top - gapPx, transform: 'translate(-50%, -100%)' }
}

interface BubbleProps {
  id: string
  style: CSSProperties
  onEnter: () => void
  onDismiss: () => void
  children: ReactNode
}

/** Goes with Escape, with scrolling, and when the pointer leaves it. */
function Bubble({ id, style, onEnter, onDismiss, children }: BubbleProps) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onDismiss()
    window.addEventListener('keydown', onKey)
    window.addEventListener('scroll', onDismiss, true)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('scroll', onDismiss, true)
    }
  }, [onDismiss])
  return createPortal(
    <div
      id={id}
      role="tooltip"
      style={style}
      onPointerEnter={onEnter}
      onPointerLeave={onDismiss}
      className="fixed z-[110] w-max max-w-64 rounded-lg border border-line-strong bg-raised px-2.5 py-1.5 text-xs text-raised-foreground shadow-float"
    >
      {children}
    </div>,
    document.body,
  )
}
