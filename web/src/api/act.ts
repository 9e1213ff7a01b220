import { useMutation } from '@tanstack/react-query'
import { ApiError, unanswered } from '@/contract/error'
import { useSession } from '@/lib/session'
import { localStore } from '@/lib/storage'
import { type ActName, useInvalidate } from './invalidations'
import { walletHeader } from './client'

/** How often a call that got no answer is repeated by itself, and how long it waits before that. */
const maxRetries = 2
const retryAfterMs = 1000

/** How long after it was sent a key without an answer still means the same act; the same again later is another. */
const keyLifetimeMs = 600_000

/** What a call that moves money or items carries: its idempotency key and the wallet that acts. */
export interface KeyedRequest {
  params: { header: { 'Idempotency-Key': string } }
  headers: Record<string, string>
}

/** Sends one call under the key that it is given. */
export type SendAct<Body, Answer> = (body: Body, keyed: KeyedRequest) => Promise<Answer>

/** Called even if the component has unmounted by then. */
export interface Handlers<Answer, Body = unknown> {
  onDone: (answer: Answer, body: Body) => void
  onFailed: (error: Error, body: Body) => void
}

/**
 * An act that moves money or items, or creates something. Retries of the same request by the same user reuse its
 * idempotency key, across tabs and reloads, until a response arrives or the key is ten minutes old.
 */
export function useAct<Body extends object, Answer>(
  act: ActName,
  send: SendAct<Body, Answer>,
  { onDone, onFailed }: Handlers<Answer, Body>,
) {
  const address = useSession().address ?? ''
  const refresh = useInvalidate(act)
  return useMutation({
    mutationKey: [act],
    // Retries use the account that started the act: the user may switch accounts before the response.
    mutationFn: (body: Body) =>
      retryUntilAnswered(storedKey(address, act, body), (key) => send(body, keyedRequest(address, key))),
    onSuccess: onDone,
    onError: onFailed,
    // Also after a refusal: the displayed data may be outdated.
    onSettled: refresh,
  })
}

function keyedRequest(address: string, key: string): KeyedRequest {
  return { params: { header: { 'Idempotency-Key': key } }, headers: Object.fromEntries([walletHeader(address)]) }
}

interface StoredKey {
  key: string
  /** It was sent before, and the outcome is unknown. */
  open: boolean
  forget: () => void
}

async function retryUntilAnswered<Answer>({ key, open, forget }: StoredKey, send: (key: string) => Promise<Answer>) {
  for (let left = maxRetries; ; left -= 1) {
    try {
      const answer = await send(key)
      forget()
      return answer
    } catch (error) {
      if (!unanswered(error)) {
        if (endsKey(error, open)) forget()
        throw error
      }
      if (left === 0) throw error
      open = true
    }
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
  }
}

/**
 * Whether a refusal ends the key's use. A refusal is only about its own attempt: while another attempt may be in flight,
 * or after a server error, the key stays. A key that belongs to another request is useless.
 */
function endsKey(error: unknown, open: boolean): boolean {
  if (!(error instanceof ApiError)) return false
  return (!open && error.status < 500) || error.code === 'idempotency_mismatch'
}

/** Keys live where a reload and other tabs find them, each beside what it was made for, until they are too old. */
function storedKey(address: string, act: ActName, body: object): StoredKey {
  for (const kept of localStore.keys()) if (kept.startsWith('act:') && !recentKey(kept)) localStore.removeItem(kept)
  const place = `act:${address}:${act}:${JSON.stringify(body)}`
  const earlier = recentKey(place)
  const key = earlier ?? crypto.randomUUID()
  localStore.setItem(place, `${Date.now()} ${key}`)
  return {
    key,
    open: earlier !== undefined,
    forget() {
      if (recentKey(place) === key) localStore.removeItem(place)
    },
  }
}

/** The stored key, unless it has expired or comes from an older version, which stored no time. */
function recentKey(place: string): string | undefined {
  const [sentAt, key] = localStore.getItem(place)?.split(' ') ?? []
  return Math.abs(Date.now() - Number(sentAt)) < keyLifetimeMs ? key : undefined
}
