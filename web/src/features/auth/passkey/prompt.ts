let current = new AbortController()

/** Closes the browser's prompt, if one is open. */
export const abortPrompt = () => current.abort()

/** A browser has one prompt at a time: a new one closes the last, which the user may have left open. */
export function newPromptSignal(): AbortSignal {
  current.abort()
  current = new AbortController()
  return current.signal
}
