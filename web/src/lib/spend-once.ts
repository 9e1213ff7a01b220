import type { KeyboardEvent, MouseEvent } from 'react'

/**
 * Handlers of a button that spends points or replaces one that does. Only deliberate presses count: neither the second
 * click of a double click, which may hit the button that has just appeared there, nor a key that is held down.
 */
export function spendOnce(act: () => void) {
  return {
    onClick: ({ detail }: MouseEvent) => detail < 2 && act(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.repeat) event.preventDefault()
    },
  }
}
