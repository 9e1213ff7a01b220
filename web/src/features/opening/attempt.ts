import type { OpenRequest } from '@/api/opens'
import { localStore } from '@/lib/storage'

/**
 * One try at opening one pack. It is kept in local storage until the server has answered it, so that a
 * lost or failed request is repeated with the very same seed: a server that does not like a result and
 * "drops" it is asked the same question again, and nobody pays twice.
 */
export interface Attempt extends OpenRequest {
  /** A request has left with it: from then on its seed cannot be changed. */
  sent: boolean
  /** The visitor has been told that it went through, though its answer never came. */
  told?: boolean
}

/** The public facts an attempt is made for. */
export type Terms = Omit<OpenRequest, 'clientSeed'>

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

/** What is asked of the server. */
export function orderOf({ packId, clientSeed, commitment, manifest }: Attempt): OpenRequest {
  return { packId, clientSeed, commitment, manifest }
}

/** The attempt to go on with: an unanswered one, one made for the same terms, or a new one. */
export function prepareAttempt(address: string, terms: Terms): Attempt {
  const kept = loadAttempt(address, terms.packId)
  const fits = kept?.commitment === terms.commitment && kept.manifest === terms.manifest
  if (kept && (kept.sent || fits)) return kept
  return replaceAttempt(address, terms)
}

/** Throws away the seed made for other terms, and makes one for these. */
export function replaceAttempt(address: string, terms: Terms): Attempt {
  const attempt = { ...terms, clientSeed: randomSeed(), sent: false }
  saveAttempt(address, attempt)
  return attempt
}

export function saveAttempt(address: string, attempt: Attempt): void {
  localStore.setItem(keyOf(address, attempt.packId), JSON.stringify(attempt))
}

/** Forgets an answered order's attempt, unless another one has taken its place meanwhile. */
export function forgetAttempt(address: string, order: OpenRequest): void {
  const kept = loadAttempt(address, order.packId)
  const same = kept?.clientSeed === order.clientSeed && kept.commitment === order.commitment
  if (same) localStore.removeItem(keyOf(address, order.packId))
}

/** The user's attempts that were sent and never answered, without those the visitor was told about. */
export function unansweredAttempts(address: string): Attempt[] {
  const prefix = keyOf(address, '')
  return localStore
    .keys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => loadAttempt(address, key.slice(prefix.length)))
    .filter((attempt) => attempt !== null)
    .filter(({ sent, told }) => sent && !told)
}

/** Marks an unanswered attempt as told; false if it was answered meanwhile. */
export function markTold(address: string, order: OpenRequest): boolean {
  const kept = loadAttempt(address, order.packId)
  if (!kept?.sent || kept.told || kept.clientSeed !== order.clientSeed) return false
  saveAttempt(address, { ...kept, told: true })
  return true
}

function loadAttempt(address: string, packId: string): Attempt | null {
  try {
    const kept: unknown = JSON.parse(localStore.getItem(keyOf(address, packId)) ?? 'null')
    return isAttempt(kept) ? kept : null
  } catch {
    return null
  }
}

function isAttempt(kept: unknown): kept is Attempt {
  if (typeof kept !== 'object' || kept === null) return false
  const texts = ['packId', 'commitment', 'manifest', 'clientSeed'] as const
  const fields = kept as Record<string, unknown>
  return texts.every((name) => typeof fields[name] === 'string') && typeof fields['sent'] === 'boolean'
}
