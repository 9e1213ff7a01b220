/** What ends each hold of this tab. */
const ends = new Map<string, () => void>()

const nameOf = (commitment: string) => `kaibao:open:${commitment}`

function request(commitment: string, signal: AbortSignal | undefined, act: () => Promise<void> | void): void {
  let held = false
  const once = () => {
    held = true
    return act()
  }
  // Insecure pages have no locks, and browsers that block storage refuse them: each tab is on its own then.
  const refused = () => void (!held && !signal?.aborted && act())
  if (!('locks' in navigator)) return refused()
  navigator.locks.request(nameOf(commitment), { ...(signal && { signal }) }, once).catch(refused)
}

/** From now on this tab tells what becomes of an open, until it lets go of it or is closed. */
export function holdOpen(commitment: string): void {
  if (ends.has(commitment)) return
  const over = new Promise<void>((resolve) => ends.set(commitment, resolve))
  request(commitment, undefined, () => over)
}

export function letGoOfOpen(commitment: string): void {
  ends.get(commitment)?.()
  ends.delete(commitment)
}

/** Calls back as soon as no tab holds the open, unless the signal is aborted before. */
export function whenUnheld(commitment: string, signal: AbortSignal, act: () => void): void {
  request(commitment, signal, act)
}
