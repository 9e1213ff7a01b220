import { Slot } from 'radix-ui'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

const openDelayMs = 700
/** For this long after one has closed, the next tooltip opens without delay. */
const skipDelayMs = 300
/** Time to move the pointer onto the tooltip. */
const graceMs = 100
const gapPx = 8
/** Minimum distance to the edge of the window. */
const edgePx = 8

let lastClosed = Number.NEGATIVE_INFINITY

interface TooltipProps {
  text: string
  side?: 'top' | 'right'
  /** The one focusable element the tooltip explains. */
  children: ReactNode
}

/** A tooltip on hover and keyboard focus. Radix' tooltip would add 14 kB to every first load. */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const id = useId()
  const timer = useRef<number>(undefined)
  const [anchor, setAnchor] = useState<Element>()

  function schedule(ms: number, act: () => void) {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(act, ms)
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
          schedule(performance.now() - lastClosed < skipDelayMs ? 0 : openDelayMs, () => setAnchor(currentTarget))
        }}
        onPointerLeave={() => schedule(graceMs, close)}
        onPointerDown={close}
        onFocus={({ currentTarget }) => {
          window.clearTimeout(timer.current)
          if (currentTarget.matches(':focus-visible')) setAnchor(currentTarget)
        }}
        // Deferred until the focus has moved: if an element unmounts while nothing is focused, a dialog takes the focus.
        onBlur={() => schedule(0, close)}
      >
        {children}
      </Slot.Root>
      {anchor && (
        <Bubble
          id={id}
          anchor={anchor}
          side={side}
          onEnter={() => window.clearTimeout(timer.current)}
          onDismiss={close}
        >
          {text}
        </Bubble>
      )}
    </>
  )
}

interface Size {
  width: number
  height: number
}

type Anchor = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

/** On the given side if it fits, else on the opposite one, and always inside the window. */
export function tooltipPosition(
  anchor: Anchor,
  side: 'top' | 'right',
  bubble: Size,
  page: Size,
): { left: number; top: number } {
  const within = (at: number, size: number, whole: number) => Math.max(edgePx, Math.min(at, whole - size - edgePx))
  if (side === 'right') {
    const right = anchor.right + gapPx
    const fits = right + bubble.width <= page.width - edgePx
    const top = (anchor.top + anchor.bottom - bubble.height) / 2
    return {
      left: within(fits ? right : anchor.left - gapPx - bubble.width, bubble.width, page.width),
      top: within(top, bubble.height, page.height),
    }
  }
  const above = anchor.top - gapPx - bubble.height
  const left = (anchor.left + anchor.right - bubble.width) / 2
  return {
    left: within(left, bubble.width, page.width),
    top: within(above >= edgePx ? above : anchor.bottom + gapPx, bubble.height, page.height),
  }
}

interface BubbleProps {
  id: string
  anchor: Element
  side: 'top' | 'right'
  onEnter: () => void
  onDismiss: () => void
  children: ReactNode
}

/**
 * Closes on Escape, on scrolling and when the pointer leaves. Inside a dialog it is rendered in the dialog, because
 * dialogs block pointer events outside. As a popover it is in the top layer and never clipped.
 */
function Bubble({ id, anchor, side, onEnter, onDismiss, children }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = bubble.current
    if (!element) return
    element.showPopover()
    const { clientWidth: width, clientHeight: height } = document.documentElement
    const { left, top } = tooltipPosition(anchor.getBoundingClientRect(), side, element.getBoundingClientRect(), {
      width,
      height,
    })
    element.style.left = `${left}px`
    element.style.top = `${top}px`
  }, [anchor, side])
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== 'Escape') return
      event.stopPropagation() // don't close the dialog as well
      onDismiss()
    }
    window.addEventListener('keydown', onKey, true)
    window.addEventListener('scroll', onDismiss, true)
    return () => {
      window.removeEventListener('keydown', onKey, true)
      window.removeEventListener('scroll', onDismiss, true)
    }
  }, [onDismiss])
  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      popover="manual"
      onPointerEnter={onEnter}
      onPointerLeave={onDismiss}
      className="fixed inset-auto m-0 w-max max-w-64 rounded-lg border border-line-strong bg-raised px-2.5 py-1.5 text-xs text-raised-foreground shadow-float"
    >
      {children}
    </div>,
    anchor.closest('[role="dialog"]') ?? document.body,
  )
}
