import { config } from './config'
import { createStore, useStore } from './store'

const firstWaitMs = 1000
const longestWaitMs = 30_000

/** How many pieces of code could not be loaded and are being tried again. */
const missing = createStore(0)

export function useMissingCode(): boolean {
  return useStore(missing) > 0
}

/** Retries missing chunks now. */
export function retryMissingCode(): void {
  window.dispatchEvent(new Event('online'))
}

/** The next try: after a while, or as soon as the browser is online. */
function nextTry(waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    function end() {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, waitMs)
    window.addEventListener('online', end)
  })
}

/** A server of another version may not have this page's code any more. */
async function reloadForNewVersion(): Promise<void> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- not an API call, and lib can't import api
    const answer = await fetch('/version')
    const { version } = (await answer.json()) as { version: string }
    if (answer.ok && version !== config.version) window.location.reload()
  } catch {
    // Without a connection there is no newer page either.
  }
}

/**
 * Loads a chunk, retrying until it arrives: with growing delays up to half a minute, and whenever the browser is online
 * again. Meanwhile the page explains the wait (`useMissingCode`). The build wraps every `import()` in this.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    missing.set(missing.get() + 1)
  }
  try {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      await reloadForNewVersion()
      await nextTry(waitMs)
      try {
        return await load()
      } catch {
        // Said on the page already.
      }
    }
  } finally {
    missing.set(missing.get() - 1)
  }
}
