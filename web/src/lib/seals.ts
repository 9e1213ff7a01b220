import { localStore } from './storage'

/** The commitments this browser saw before it chose its seeds, by open. Only the browser can attest to them. */

const key = 'seals'
const most = 300

type Seals = [openId: string, commitment: string][]

function load(): Seals {
  try {
    const kept: unknown = JSON.parse(localStore.getItem(key) ?? '[]')
    return Array.isArray(kept) ? (kept as Seals) : []
  } catch {
    return []
  }
}

/** Remembers the commitment that was on the screen before an open; the oldest ones are forgotten. */
export function saveSeal(openId: string, commitment: string): void {
  const others = load().filter(([id]) => id !== openId)
  localStore.setItem(key, JSON.stringify([...others, [openId, commitment]].slice(-most)))
}

/** The commitment seen before an open, when this browser was there. */
export function savedSeal(openId: string): string | undefined {
  return load().find(([id]) => id === openId)?.[1]
}
