/** Releases this tab's locks, by commitment. */
const releases = new Map<string, () => void>()

const nameOf = (commitment: string) => `kaibao:open:${commitment}`

function request(commitment: string, signal: AbortSignal | undefined, act: () => Promise<void> | void): void {
  let acquired = false
  const onAcquired = () => {
    acquired = true
    return act()
  }
  // Web Locks need a secure page and storage access. Without them, each tab acts on its own.
  const fallBack = () => void (!acquired && !signal?.aborted && act())
  if (!('locks' in navigator)) return fallBack()
  navigator.locks.request(nameOf(commitment), { ...(signal && { signal }) }, onAcquired).catch(fallBack)
}

/** Locks an open: this tab reports its outcome until it releases the lock or is closed. */
export function holdOpen(commitment: string): void {
  if (releases.has(commitment)) return
  const over = new Promise<void>((resolve) => releases.set(commitment, resolve))
  request(commitment, undefined, () => over)
}

export function releaseOpen(commitment: string): void {
  releases.get(commitment)?.()
  releases.delete(commitment)
}

/** Calls back once no tab holds the lock, unless the signal is aborted first. */
export function whenReleased(commitment: string, signal: AbortSignal, act: () => void): void {
  request(commitment, signal, act)
}
