import { vi } from 'vitest'
import type { paths } from '@/contract/schema'
import { unknownParameters } from './unknown-parameters'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A path of the contract as it is asked for, with anything in the place of its parameters. */
type Asked<Path> = Path extends `${infer Before}{${string}}${infer After}` ? `${Before}${string}${Asked<After>}` : Path

type CallsOf<Path extends keyof paths> = {
  [M in Method]: Exclude<paths[Path][M], undefined> extends never ? never : `${Uppercase<M>} ${Asked<Path>}`
}[Method]

/** Every call that the contract knows, such as "GET /api/packs/2"; another one does not compile. */
type Call = { [Path in keyof paths]: CallsOf<Path> }[keyof paths]

/** A function answers each call anew, late or not at all. */
export type Answers = { [C in Call]?: Answer | (() => Response | Promise<Response>) }

/** For what does not exist. */
export const notFound: Answer = { status: 404, body: { code: 'not_found', message: 'not found', requestId: 'r1' } }

/** What is asked for beside what a test is about: by the shell, above a list, and for the odds at the start of an open. */
const besides: Answers = {
  'GET /api/wallet': { body: { displayBalance: 10_000, balanceCents: 1_000_000, heldCents: 0 } },
  'GET /api/alerts': { body: [] },
  'GET /api/limits': { body: { limits: [], realityMinutes: null } },
  'GET /api/packs/2': notFound,
  'GET /api/saved-searches': { body: [] },
  'GET /api/marketplace/facets': { body: { series: [], certification: [], rarity: [], grade: [] } },
}

const unforeseen: string[] = []

/** The calls that no stub had an answer for, or that the server refuses; forgotten once they are told. */
export const takeUnforeseen = () => unforeseen.splice(0)

/**
 * Answers fetch from a table of "METHOD /path", in which answers can be exchanged meanwhile; a call that is not in
 * it, or has a parameter that the contract doesn't know, fails the test. Returns the requests it saw, with their bodies unread.
 */
export function stubApi(answers: Answers): Request[] {
  const seen: Request[] = []
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(typeof input === 'string' ? new URL(input, window.location.origin) : input, init)
    seen.push(request.clone())
    const call = `${request.method} ${new URL(request.url).pathname}` as Call
    const answer = answers[call] ?? besides[call]
    if (!answer) unforeseen.push(call)
    unforeseen.push(...unknownParameters(request.method, request.url).map((name) => `${call} with ${name}`))
    if (typeof answer === 'function') return Promise.resolve(answer())
    const { status = 200, headers = {}, body } = answer ?? notFound
    return Promise.resolve(Response.json(body, { status, headers }))
  })
  return seen
}
