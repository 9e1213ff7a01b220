import { ApiError } from '@/lib/contract/error'
import type { errors } from './texts/en'

/** What to tell a person: a known code in their language, an unknown one in the server's words. */
export function errorText(error: unknown, t: { errors: typeof errors }): string {
  if (!(error instanceof ApiError)) return t.errors.unknown
  const known = error.code !== 'unknown' && Object.hasOwn(t.errors, error.code)
  return known ? t.errors[error.code] : error.message
}
