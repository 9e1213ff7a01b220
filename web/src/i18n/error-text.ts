import { ApiError } from '@/lib/api/error'
import type { Dictionary } from '.'
import type { ErrorCode } from './error-codes'

/** What to tell a person: a known code in their language, an unknown one in the server's words. */
export function errorText(error: unknown, t: Dictionary): string {
  if (!(error instanceof ApiError)) return t.errors.unknown
  return hasText(error.code, t) && error.code !== 'unknown' ? t.errors[error.code] : error.message
}

function hasText(code: string, t: Dictionary): code is ErrorCode {
  return Object.hasOwn(t.errors, code)
}
