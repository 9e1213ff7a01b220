import type { OpenRequest } from '@/api/opens'
import { localStore } from '@/lib/storage'

/**
 * One attempt to open a pack. It stays in local storage until the server responds, so that a retry uses the same seed:
 * nobody pays twice, and a server can't drop a result it doesn't like.
 */
export interface Attempt extends OpenRequest {
  /** A request was sent, so the seed is final. */
  sent: boolean
  /** A toast has reported its success, after its response was lost. */
  reported?: boolean
  /** The number of the user's open that the commitment is for. */
  nonce?: number
  /** When this page knew the commitment, in milliseconds since 1970. */
  lockedAt?: number
}

/** The pack, commitment and manifest an attempt is for. */
export type Terms = Omit<OpenRequest, 'clientSeed' | 'sealed'> & Pick<Attempt, 'nonce' | 'lockedAt'>

const seedBytes = 32
const maxSeedBytes = 128

export function randomSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(seedBytes))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function isSeed(text: string): boolean {
  const { length } = new TextEncoder().encode(text)
  return length >= 1 && length <= maxSeedBytes && !/\p{Cs}/u.test(text)
}

function keyOf(address: string, packId: string): string {
  return `opening:${address}:${packId}`
}

export function requestOf({ packId, clientSeed, commitment, manifest, sealed }: Attempt): OpenRequest {
  return { packId, clientSeed, commitment, manifest, ...(sealed && { sealed }) }
}

/** Resumes an unanswered attempt or one with the same terms, or creates one. */
export function prepareAttempt(address: string, terms: Terms): Attempt {
  const stored = loadAttempt(address, terms.packId)
  if (stored?.sent) return stored
  const fits = stored?.commitment === terms.commitment && stored.manifest === terms.manifest
  return fits ? { ...terms, ...stored } : replaceAttempt(address, terms)
}

/** Creates an attempt with a new seed, replacing one that wasn't sent. */
export function replaceAttempt(address: string, terms: Terms): Attempt {
  const attempt = { ...terms, clientSeed: randomSeed(), sent: false }
  saveAttempt(address, attempt)
  return attempt
}

/** Stores an attempt, unless a request with another seed was sent: another tab waits for its answer. */
export function saveAttempt(address: string, attempt: Attempt): void {
  const stored = loadAttempt(address, attempt.packId)
  if (stored?.sent && !isSameRequest(stored, attempt)) return
  localStore.setItem(keyOf(address, attempt.packId), JSON.stringify(attempt))
}

/** Removes an answered attempt, unless another one has replaced it. */
export function forgetAttempt(address: string, request: OpenRequest): void {
  const stored = loadAttempt(address, request.packId)
  if (stored && isSameRequest(stored, request)) localStore.removeItem(keyOf(address, request.packId))
}

function isSameRequest(a: OpenRequest, b: OpenRequest): boolean {
  return a.clientSeed === b.clientSeed && a.commitment === b.commitment
}

/** The user's sent attempts without a response, except those reported already. */
export function unansweredAttempts(address: string): Attempt[] {
  const prefix = keyOf(address, '')
  return localStore
    .keys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => loadAttempt(address, key.slice(prefix.length)))
    .filter((attempt) => attempt !== null)
    .filter(({ sent, reported }) => sent && !reported)
}

/** Marks an unanswered attempt as reported; false if it has been answered. */
export function markReported(address: string, request: OpenRequest): boolean {
  const stored = loadAttempt(address, request.packId)
  if (!stored?.sent || stored.reported || stored.clientSeed !== request.clientSeed) return false
  saveAttempt(address, { ...stored, reported: true })
  return true
}

function loadAttempt(address: string, packId: string): Attempt | null {
  try {
    const stored: unknown = JSON.parse(localStore.getItem(keyOf(address, packId)) ?? 'null')
    return isAttempt(stored) ? stored : null
  } catch {
    return null
  }
}

function isAttempt(stored: unknown): stored is Attempt {
  if (typeof stored !== 'object' || stored === null) return false
  const texts = ['packId', 'commitment', 'manifest', 'clientSeed'] as const
  const fields = stored as Record<string, unknown>
  return texts.every((name) => typeof fields[name] === 'string') && typeof fields['sent'] === 'boolean'
}
