import { ApiError } from '@/lib/api/error'
import type { Dictionary } from '.'
import { isErrorCode } from './error-codes'

/** What to tell a person: a known code in their language, an unknown one in the server's words. */
export function errorText(error: unknown, t: Dictionary): string {
  if (!(error instanceof ApiError)) return t.errors.unknown
  return isErrorCode(error.code) && error.code !== 'unknown' ? t.errors[error.code] : error.message
}
