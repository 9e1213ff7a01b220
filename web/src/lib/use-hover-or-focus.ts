import { type FocusEvent, type PointerEvent, useState } from 'react'

/** Whether an element is hovered or has focus within. Spread `handlers` on the element. */
export function useHoverOrFocus() {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  return {
    isHoveredOrFocused: hovered || focused,
    handlers: {
      onPointerEnter: () => setHovered(true),
      onPointerLeave: ({ currentTarget }: PointerEvent) => {
        setHovered(false)
        // A button that was disabled by its own click loses focus without a blur event.
        setFocused(currentTarget.querySelector(':focus-visible') !== null)
      },
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}
