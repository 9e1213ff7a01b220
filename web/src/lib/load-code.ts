import { config } from './config'
import { createStore, useStore } from './store'

const minWaitMs = 1000
const maxWaitMs = 30_000

/** Number of chunks that failed to load and are being retried. */
const missing = createStore(0)

export function useMissingCode(): boolean {
  return useStore(missing) > 0
}

/** Retries missing chunks now. */
export function retryMissingCode(): void {
  window.dispatchEvent(new Event('online'))
}

/** Waits for the delay, or until the browser comes online. */
function waitForRetry(waitMs: number): Promise<void> {
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

/** Reloads the page if the server has another version, which may not have this page's chunks anymore. */
async function reloadForNewVersion(): Promise<void> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- not an API call, and lib can't import api
    const response = await fetch('/version')
    const { version } = (await response.json()) as { version: string }
    if (response.ok && version !== config.version) window.location.reload()
  } catch {
    // Offline: keep retrying.
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
    for (let waitMs = minWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
      await reloadForNewVersion()
      await waitForRetry(waitMs)
      try {
        return await load()
      } catch {
        // The page already shows the problem.
      }
    }
  } finally {
    missing.set(missing.get() - 1)
  }
}
