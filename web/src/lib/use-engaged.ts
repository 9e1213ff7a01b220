import { type FocusEvent, useState } from 'react'

/** Whether somebody points at something or has the focus in it; `on` goes on its element. */
export function useEngaged() {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  return {
    engaged: pointed || focused,
    on: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}
