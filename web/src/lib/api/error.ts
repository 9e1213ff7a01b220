/** A refused or failed call. `code` is the server's snake_case code, or `network` when no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId = '',
    readonly fields: Readonly<Record<string, string>> = {},
    readonly details: unknown = undefined,
  ) {
    super(message)
  }
}

interface ErrorBody {
  message: string
  code: string
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
