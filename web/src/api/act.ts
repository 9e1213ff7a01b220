import { useMutation } from '@tanstack/react-query'
import { ApiError, unanswered } from '@/contract/error'
import { useSession } from '@/lib/session'
import { localStore } from '@/lib/storage'
import { type ActName, useInvalidate } from './invalidations'
import { walletHeader } from './client'

/** A request without a response is retried twice, each time after a second. */
export const maxRetries = 2
export const retryAfterMs = 1000

/** How long a key without a response is reused. Later, the same request counts as a new act. */
const keyLifetimeMs = 600_000

/** Headers of a request that moves money or items: its idempotency key and the acting wallet. */
export interface KeyedRequest {
  params: { header: { 'Idempotency-Key': string } }
  headers: Record<string, string>
}

/** Sends the request with its key. */
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
    mutationFn: (body: Body) => retryUntilAnswered(prepareAct({ address, act, body, send })),
    onSuccess: onDone,
    onError: onFailed,
    // Also after a refusal: the displayed data may be outdated.
    onSettled: refresh,
  })
}

function keyedRequest(address: string, key: string): KeyedRequest {
  return { params: { header: { 'Idempotency-Key': key } }, headers: Object.fromEntries([walletHeader(address)]) }
}

interface PreparedAct<Body, Answer> {
  address: string
  act: ActName
  body: Body
  send: SendAct<Body, Answer>
}

/** Returns a function that sends the request once. All of its calls use the same idempotency key. */
export function prepareAct<Body extends object, Answer>(request: PreparedAct<Body, Answer>): () => Promise<Answer> {
  const { address, act, body, send } = request
  const { key, pending, remove } = storedKey(address, act, body)
  let inFlight = pending
  return async () => {
    try {
      const answer = await send(body, keyedRequest(address, key))
      remove()
      return answer
    } catch (error) {
      if (unanswered(error)) inFlight = true
      else if (endsKey(error, inFlight)) remove()
      throw error
    }
  }
}

interface StoredKey {
  key: string
  /** Whether an earlier request with this key has had no response. */
  pending: boolean
  remove: () => void
}

/** Sends a request that `prepareAct` returned, again while no response arrives. */
export async function retryUntilAnswered<Answer>(send: () => Promise<Answer>) {
  for (let left = maxRetries; ; left -= 1) {
    try {
      return await send()
    } catch (error) {
      if (!unanswered(error) || left === 0) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
  }
}

/**
 * Whether a refusal ends the key's use. A refusal is only about its own attempt: while another attempt may be in flight,
 * or after a server error, the key stays. A key that belongs to another request is useless.
 */
function endsKey(error: unknown, pending: boolean): boolean {
  if (!(error instanceof ApiError)) return false
  return (!pending && error.status < 500) || error.code === 'idempotency_mismatch'
}

/** The request's key in local storage, where reloads and other tabs find it. Creates it if there is none. */
function storedKey(address: string, act: ActName, body: object): StoredKey {
  for (const name of localStore.keys()) if (name.startsWith('act:') && !recentKey(name)) localStore.removeItem(name)
  const storageKey = `act:${address}:${act}:${JSON.stringify(body)}`
  const earlier = recentKey(storageKey)
  const key = earlier ?? crypto.randomUUID()
  localStore.setItem(storageKey, `${Date.now()} ${key}`)
  return {
    key,
    pending: earlier !== undefined,
    remove() {
      if (recentKey(storageKey) === key) localStore.removeItem(storageKey)
    },
  }
}

/** The stored key, unless it has expired or comes from an older version, which stored no time. */
function recentKey(storageKey: string): string | undefined {
  const [sentAt, key] = localStore.getItem(storageKey)?.split(' ') ?? []
  return Math.abs(Date.now() - Number(sentAt)) < keyLifetimeMs ? key : undefined
}
