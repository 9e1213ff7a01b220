import createClient, { type Middleware } from 'openapi-fetch'
import { ApiError, errorOf } from '@/lib/contract/error'
import type { paths } from '@/lib/contract/schema'
import { walletAddressKey } from '@/lib/wallet-address'

/** The header names the wallet; who the caller is, is the session cookie's matter. */
const conventions: Middleware = {
  onRequest({ request }) {
    const address = localStorage.getItem(walletAddressKey)
    if (address && !request.headers.has('Authorization')) request.headers.set(...naming(address))
  },
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response)
  },
  onError({ error }) {
    return new ApiError(0, 'network', error instanceof Error ? error.message : String(error))
  },
}

/** The header that names a wallet; the server refuses it where the session is another's. */
export function naming(address: string): [name: 'Authorization', value: string] {
  return ['Authorization', `Wallet ${address}`]
}

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'include',
  fetch: (request) => globalThis.fetch(request),
})
api.use(conventions)

/** The body of an answer. Refusals have been thrown as ApiError before they get here. */
export async function read<T>(call: Promise<{ data?: T | undefined }>): Promise<NonNullable<T>> {
  const { data } = await call.catch((error: unknown) => {
    if (error instanceof ApiError) throw error
    throw new ApiError(0, 'network', 'The answer was cut off')
  })
  if (data === undefined || data === null) throw new ApiError(200, 'unknown', 'The answer had no body')
  return data
}

/** How long a list is in all, where the server says so. */
export async function readTotal(call: Promise<{ data?: unknown; response: Response }>): Promise<number> {
  await read(call)
  const { response } = await call
  const total = response.headers.get('X-Total-Count')
  if (total === null) throw new ApiError(200, 'unknown', 'The answer had no total')
  return Number(total)
}

/**
 * How far the server's clock is before the browser's, in milliseconds: at most a second more than the truth. The
 * answer's date has whole seconds, cut off: the next full one is never before the truth.
 */
export function aheadOf({ headers }: Response): number {
  const date = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(date) ? 0 : date + 1000 - Date.now()
}
