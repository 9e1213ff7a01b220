import type { Client } from 'openapi-fetch'
import { ApiError, errorOf } from '@/contract/error'
import type { paths } from '@/contract/schema'
import { setClockOffset } from '@/lib/server-clock'
import { localStore } from '@/lib/storage'
import { walletAddressKey } from '@/lib/wallet-address'

/** The header that names the wallet. The server refuses it if the session belongs to another wallet. */
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

/** All endpoints of the API, with openapi-fetch's types but not its code, which would add 2 kB to every first load. */
export const api = {
  GET: caller('GET'),
  POST: caller('POST'),
  PUT: caller('PUT'),
  PATCH: caller('PATCH'),
  DELETE: caller('DELETE'),
} as unknown as Pick<Client<paths, 'application/json'>, Method>

const positionHeader = 'X-Market-Position'

/** The market's position after the visitor's last act. Any node's response includes at least that act. */
let position = ''

/** Returns a function that sends a request. It throws error responses and missing responses as ApiError. */
function caller(method: Method) {
  return async (path: string, options: CallOptions = {}) => {
    const request = requestOf(method, path, options)
    // Only acts that move money or items have a key.
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

/** The session cookie authenticates the user; the header only names the wallet. */
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

function urlOf(path: string, { path: pathParams = {}, query = {} }: CallOptions['params'] = {}): string {
  const pathname = path.replace(/\{(.+?)\}/g, (_, name: string) => encodeURIComponent(pathParams[name] ?? ''))
  const search = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  )
  return window.location.origin + pathname + (search.length ? `?${search.join('&')}` : '')
}

/** The body of a response. Throws ApiError if it is missing or truncated. */
export async function read<T>(call: Promise<{ data?: T | undefined }>): Promise<NonNullable<T>> {
  const { data } = await call.catch((error: unknown) => {
    if (error instanceof ApiError) throw error
    throw new ApiError(0, 'network', 'The response was truncated')
  })
  if (data === undefined || data === null) throw new ApiError(200, 'unknown', 'The response had no body')
  return data
}

const idPattern = /^[a-z0-9-]{1,64}$/

/** Reads something by the id in the page's address. A text that can't be an id is not found; the server calls it invalid. */
export function readById<T>(id: string, call: () => Promise<{ data?: T | undefined }>): Promise<NonNullable<T>> {
  return idPattern.test(id) ? read(call()) : Promise.reject(new ApiError(404, 'not_found', 'Not an id'))
}

/** The list's total length, from the response's header. */
export async function readTotal(call: Promise<{ data?: unknown; response: Response }>): Promise<number> {
  await read(call)
  const { response } = await call
  const total = response.headers.get('X-Total-Count')
  if (total === null) throw new ApiError(200, 'unknown', 'The response had no total')
  return Number(total)
}

/**
 * How far the server's clock is ahead of the browser's, in milliseconds, overestimated by at most a second: the Date
 * header has whole seconds, rounded down, so this adds one.
 */
export function serverClockOffsetMs({ headers }: Response): number {
  const date = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(date) ? 0 : date + 1000 - Date.now()
}
