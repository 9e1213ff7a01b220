import { ApiError } from '@/lib/contract/error'
import { dollars } from '@/lib/format'
import type { errors } from './texts/en'

/** What to tell a person: a known code in their language, an unknown one in the server's words. */
export function errorText(error: unknown, t: { errors: typeof errors }): string {
  if (!(error instanceof ApiError)) return t.errors.unknown
  const known = error.code !== 'unknown' && Object.hasOwn(t.errors, error.code)
  return known ? filled(t.errors[error.code], error.details) : error.message
}

/** A text with what the server says of the refusal in the places of its marks: amounts, and times in UTC. */
function filled(text: string, details: unknown): string {
  const said = (details ?? {}) as Record<string, unknown>
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = said[name]
    if (typeof value === 'number') return dollars(value)
    return typeof value === 'string' ? `${value.slice(0, 10)} ${value.slice(11, 16)} UTC` : '…'
  })
}
