import type { KeyboardEvent } from 'react'

/** For buttons that spend points: a key that is held down isn't a second press. */
export function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault()
}
