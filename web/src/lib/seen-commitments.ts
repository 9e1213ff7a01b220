import { localStore } from './storage'

// For each open, the commitment that this browser saw before it chose the seed. The server can't attest to that.

const storageKey = 'seals'
const maxStored = 300

type SeenCommitments = [openId: string, commitment: string][]

function load(): SeenCommitments {
  try {
    const stored: unknown = JSON.parse(localStore.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? (stored as SeenCommitments) : []
  } catch {
    return []
  }
}

/** Stores the commitment shown before an open. Keeps the latest 300. */
export function saveSeenCommitment(openId: string, commitment: string): void {
  const others = load().filter(([id]) => id !== openId)
  localStore.setItem(storageKey, JSON.stringify([...others, [openId, commitment]].slice(-maxStored)))
}

/** The commitment shown before an open; undefined if another browser made it. */
export function seenCommitment(openId: string): string | undefined {
  return load().find(([id]) => id === openId)?.[1]
}
