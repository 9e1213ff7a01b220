/**
 * One try at opening one pack. It is kept in local storage until the server has answered it, so that a
 * lost or failed request is repeated with the very same seed: a server that does not like a result and
 * "drops" it is asked the same question again, and nobody pays twice.
 */
export interface Attempt {
  packId: string
  /** The commitment shown before the seed was made. */
  commitment: string
  /** Hash of the manifest the visitor agreed to. */
  manifest: string
  clientSeed: string
  idempotencyKey: string
  /** A request has left with it: from then on its seed cannot be changed. */
  sent: boolean
}

/** The public facts an attempt is made for. */
export interface Terms {
  packId: string
  commitment: string
  manifest: string
}

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

function newAttempt({ packId, commitment, manifest }: Terms): Attempt {
  return {
    packId,
    commitment,
    manifest,
    clientSeed: randomSeed(),
    idempotencyKey: crypto.randomUUID(),
    sent: false,
  }
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
  const attempt = newAttempt(terms)
  saveAttempt(address, attempt)
  return attempt
}

export function saveAttempt(address: string, attempt: Attempt): void {
  localStorage.setItem(keyOf(address, attempt.packId), JSON.stringify(attempt))
}

/** Forgets an answered attempt, unless another one has taken its place meanwhile. */
export function forgetAttempt(address: string, attempt: Attempt): void {
  const kept = loadAttempt(address, attempt.packId)
  if (kept?.idempotencyKey === attempt.idempotencyKey) localStorage.removeItem(keyOf(address, attempt.packId))
}

function loadAttempt(address: string, packId: string): Attempt | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(address, packId)) ?? 'null')
    return isAttempt(kept) ? kept : null
  } catch {
    return null
  }
}

function isAttempt(kept: unknown): kept is Attempt {
  if (typeof kept !== 'object' || kept === null) return false
  const texts = ['packId', 'commitment', 'manifest', 'clientSeed', 'idempotencyKey'] as const
  const fields = kept as Record<string, unknown>
  return texts.every((name) => typeof fields[name] === 'string') && typeof fields['sent'] === 'boolean'
}
