import { type FocusEvent, type PointerEvent, useState } from 'react'

/** Whether an element is hovered or has focus within. Spread `on` on the element. */
export function useHoverOrFocus() {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  return {
    engaged: pointed || focused,
    on: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: ({ currentTarget }: PointerEvent) => {
        setPointed(false)
        // A button that was disabled by its own click has lost the focus without a word.
        setFocused(currentTarget.querySelector(':focus-visible') !== null)
      },
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}
