import type { Client } from 'openapi-fetch'
import { ApiError, errorOf } from '@/contract/error'
import type { paths } from '@/contract/schema'
import { setClockOffset } from '@/lib/server-clock'
import { localStore } from '@/lib/storage'
import { walletAddressKey } from '@/lib/wallet-address'

/** The header that names a wallet; the server refuses it where the session is another's. */
export function walletHeader(address: string): [name: 'Authorization', value: string] {
  return ['Authorization', `Wallet ${address}`]
}

/** A call's parameters. `Client` has their types per endpoint. */
interface CallOptions {
  params?: {
    path?: Readonly<Record<string, string>>
    query?: Readonly<Record<string, string | number | boolean | undefined>>
    header?: Readonly<Record<string, string>>
  }
  headers?: Readonly<Record<string, string>>
  body?: unknown
  signal?: AbortSignal
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Every call of the contract. The types are a library's, whose code is 2 kB of every first load for much else. */
export const api = {
  GET: caller('GET'),
  POST: caller('POST'),
  PUT: caller('PUT'),
  PATCH: caller('PATCH'),
  DELETE: caller('DELETE'),
} as unknown as Pick<Client<paths, 'application/json'>, Method>

const positionHeader = 'X-Market-Position'

/** Where the market was when the visitor last did something there: whatever node answers shows at least that. */
let position = ''

/** Throws a refusal, and that no answer came, as ApiError. */
function caller(method: Method) {
  return async (path: string, sent: CallOptions = {}) => {
    const request = requestOf(method, path, sent)
    // Every act that moves money or items carries a key, and nothing else does.
    const fail = (error: ApiError) => Object.assign(error, { isAct: request.headers.has('Idempotency-Key') })
    // oxlint-disable-next-line no-restricted-properties -- the one place that calls the API
    const response = await globalThis.fetch(request).catch((error: unknown) => {
      throw fail(new ApiError(0, 'network', error instanceof Error ? error.message : String(error)))
    })
    if (!response.ok) throw fail(await errorOf(response))
    position = response.headers.get(positionHeader) ?? position
    setClockOffset(serverClockOffsetMs(response))
    const text = await response.text()
    return { data: text ? (JSON.parse(text) as unknown) : undefined, response }
  }
}

/** The header names the wallet; who the caller is, is the session cookie's matter. */
function requestOf(method: Method, path: string, { params, headers, body, signal }: CallOptions): Request {
  const request = new Request(urlOf(path, params), {
    method,
    headers: { ...headers, ...params?.header },
    credentials: 'include',
    signal: signal ?? null,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (body !== undefined) request.headers.set('Content-Type', 'application/json')
  if (position && method === 'GET' && path.startsWith('/api/marketplace')) request.headers.set(positionHeader, position)
  const wallet = localStore.getItem(walletAddressKey)
  if (wallet && !request.headers.has('Authorization')) request.headers.set(...walletHeader(wallet))
  return request
}

function urlOf(path: string, { path: names = {}, query = {} }: CallOptions['params'] = {}): string {
  const named = path.replace(/\{(.+?)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  )
  return window.location.origin + named + (asked.length ? `?${asked.join('&')}` : '')
}

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
export function serverClockOffsetMs({ headers }: Response): number {
  const date = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(date) ? 0 : date + 1000 - Date.now()
}
