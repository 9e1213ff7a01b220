import type { components } from './schema'

/** Every code the server answers with, and two of our own: `network` for no answer, `unknown` for one not the server's. */
export type ErrorCode = components['schemas']['ApiError']['code'] | 'network' | 'unknown'

/** A rejected or failed call. A newer server may send codes that this page doesn't know. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The call was to move money or items. */
  isAct = false

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly requestId = '',
    readonly fields: Readonly<Record<string, string>> = {},
    readonly details?: unknown,
  ) {
    super(message)
  }
}

interface ErrorBody {
  message: string
  code: ErrorCode
  requestId?: string
  fields?: Record<string, string>
  details?: unknown
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'message' in body && 'code' in body
}

/** Any non-OK answer as an error; one that is not the server's own reads "status: body". */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    if (isErrorBody(body)) {
      const { message, code, requestId, fields, details } = body
      return new ApiError(response.status, code, message, requestId, fields, details)
    }
  } catch {
    // Not JSON: a proxy answered, not our server.
  }
  return new ApiError(response.status, 'unknown', `${response.status}: ${text || response.statusText}`)
}

/** Whether a call's outcome is unknown: no response, or one from a proxy. */
export function unanswered(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.code === 'network' || (error.code === 'unknown' && !(error.status >= 400 && error.status < 500))
}
