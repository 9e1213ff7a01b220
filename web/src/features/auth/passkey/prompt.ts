let asking = new AbortController()

/** Closes the browser's prompt, if one is open. */
export const closePrompt = () => asking.abort()

/** A browser has one prompt at a time: a new one closes the last, which the user may have left open. */
export function newPrompt(): AbortSignal {
  asking.abort()
  asking = new AbortController()
  return asking.signal
}
