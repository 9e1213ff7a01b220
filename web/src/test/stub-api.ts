import { vi } from 'vitest'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

/** Answers fetch from a table of "METHOD /path"; anything else is 404. Returns the requests it saw. */
export function stubApi(answers: Record<string, Answer>): Request[] {
  const seen: Request[] = []
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    seen.push(request)
    const answer = answers[`${request.method} ${new URL(request.url).pathname}`]
    const {
      status = 200,
      headers = {},
      body,
    }: Answer = answer ?? {
      status: 404,
      body: { code: 'not_found', message: 'not found', requestId: 'r1' },
    }
    return Promise.resolve(Response.json(body, { status, headers }))
  })
  return seen
}
