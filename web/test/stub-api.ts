import { vi } from 'vitest'
import type { paths } from '@/contract/schema'
import { unknownParameters } from './unknown-parameters'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** An API path with any values in place of its parameters. */
type ConcretePath<Path> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${ConcretePath<After>}`
  : Path

type CallsOf<Path extends keyof paths> = {
  [M in Method]: Exclude<paths[Path][M], undefined> extends never ? never : `${Uppercase<M>} ${ConcretePath<Path>}`
}[Method]

/** A call of the API, such as "GET /api/packs/2". Others don't compile. */
type Call = { [Path in keyof paths]: CallsOf<Path> }[keyof paths]

/** Responses by call. A function can respond differently each time, or late. */
export type Answers = { [C in Call]?: Answer | ((request: Request) => Response | Promise<Response>) }

/** The response for anything that doesn't exist. */
export const notFound: Answer = { status: 404, body: { code: 'not_found', message: 'not found', requestId: 'r1' } }

/** Responses for calls that most pages make, such as those of the shell. */
const defaultAnswers: Answers = {
  'GET /api/wallet': { body: { displayBalance: 10_000, balanceCents: 1_000_000, heldCents: 0 } },
  // Nothing is signed yet.
  ['GET /log/witnesses' as never]: notFound,
  'GET /api/alerts': { body: [] },
  'GET /api/limits': { body: { limits: [], realityMinutes: null } },
  'GET /api/packs/2': notFound,
  'GET /api/packs/2/cards': { body: [] },
  'GET /api/packs/7/cards': { body: [] },
  'GET /api/pulls/top': { body: [] },
  'GET /api/activity/recent': { body: [] },
  'GET /api/saved-searches': { body: [] },
  'GET /api/marketplace/facets': { body: { series: [], certification: [], rarity: [], grade: [] } },
}

const unexpectedCalls: string[] = []

/** Returns and clears the calls without a stubbed response, or with parameters that the server refuses. */
export const takeUnexpectedCalls = () => unexpectedCalls.splice(0)

/**
 * Stubs fetch with responses by "METHOD /path"; the table may be changed later. Other calls, and parameters that the API
 * doesn't have, fail the test. Returns the requests, with unread bodies.
 */
export function stubApi(answers: Answers): Request[] {
  const seen: Request[] = []
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(typeof input === 'string' ? new URL(input, window.location.origin) : input, init)
    seen.push(request.clone())
    const call = `${request.method} ${new URL(request.url).pathname}` as Call
    const answer = answers[call] ?? defaultAnswers[call]
    if (!answer) unexpectedCalls.push(call)
    unexpectedCalls.push(...unknownParameters(request.method, request.url).map((name) => `${call} with ${name}`))
    if (typeof answer === 'function') return Promise.resolve(answer(request))
    const { status = 200, headers = {}, body } = answer ?? notFound
    return Promise.resolve(Response.json(body, { status, headers }))
  })
  return seen
}
