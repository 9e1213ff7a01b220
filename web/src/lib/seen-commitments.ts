import { localStore } from './storage'

// For each open, the commitment that this browser saw before it chose the seed. The server can't attest to that.

const storageKey = 'seals'
const maxStored = 300

type SeenCommitments = [openId: string, commitment: string, at?: number][]

function load(): SeenCommitments {
  try {
    const stored: unknown = JSON.parse(localStore.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? (stored as SeenCommitments) : []
  } catch {
    return []
  }
}

/** Stores the commitment shown before an open, and since when, in milliseconds since 1970. Keeps the latest 300. */
export function saveSeenCommitment(openId: string, commitment: string, at?: number): void {
  const others = load().filter(([id]) => id !== openId)
  const seen = at === undefined ? [openId, commitment] : [openId, commitment, at]
  localStore.setItem(storageKey, JSON.stringify([...others, seen].slice(-maxStored)))
}

/** The commitment shown before an open; undefined if another browser made it. */
export function seenCommitment(openId: string): string | undefined {
  return load().find(([id]) => id === openId)?.[1]
}

/** When this browser knew the commitment of an open, in milliseconds since 1970; undefined if unknown. */
export function commitmentSeenAt(openId: string): number | undefined {
  const at = load().find(([id]) => id === openId)?.[2]
  return typeof at === 'number' ? at : undefined
}
