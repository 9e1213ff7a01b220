import { useRef } from 'react'
import { ApiError } from '@/lib/api/client'

/** The headers of a call that moves money or items. */
interface Keyed {
  header: { 'Idempotency-Key': string }
}

/** Sends one call under the key that it is given. */
export type Send<Body, T = unknown> = (body: Body, params: Keyed) => Promise<T>

/**
 * Sends acts, each under a key of its own. One without an answer is asked for once more, and the same again later
 * still carries its key: whatever became of the first, it happens once.
 */
export function useAct() {
  const open = useRef<{ text: string; key: string }>(undefined)
  return async function act<Body extends object, T>(body: Body, send: Send<Body, T>): Promise<T> {
    const text = JSON.stringify(body)
    if (open.current?.text !== text) open.current = { text, key: crypto.randomUUID() }
    const params = { header: { 'Idempotency-Key': open.current.key } }
    const answer = await send(body, params).catch((error: unknown) => {
      if (unanswered(error)) return send(body, params)
      throw error
    })
    open.current = undefined
    return answer
  }
}

/** Whether nobody knows what became of a call. */
export function unanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network'
}
