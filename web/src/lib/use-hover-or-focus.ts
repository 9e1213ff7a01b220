import { type FocusEvent, type PointerEvent, useState } from 'react'

/** Whether somebody points at something or has the focus in it; `on` goes on its element. */
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
