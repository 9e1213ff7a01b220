import { ApiError } from '@/contract/error'
import { dollars, number } from '@/lib/format'
import type { errors } from './texts/en'

/** The text of an error: by code in the visitor's language, or the server's message for an unknown code. */
export function errorText(error: unknown, t: { errors: typeof errors }): string {
  if (!(error instanceof ApiError)) return t.errors.unknown
  const { code, message } = error
  const details = (error.details ?? {}) as Details
  const texts: Readonly<Record<string, string>> = t.errors
  const key = [`${code}.${error.isAct ? 'act' : kindOf(details)}`, `${code}.${kindOf(details)}`, code].find(
    (one) => one !== 'unknown' && Object.hasOwn(texts, one),
  )
  return key === undefined ? message : filled(texts[key] ?? message, details)
}

type Details = Readonly<Record<string, unknown>>

/** Variants of a code that have their own texts: a house rule, or a refusal without an end. */
function kindOf({ rule, until }: Details): string {
  if (until === null) return 'ever'
  return typeof rule === 'string' ? rule : ''
}

/** A text with what the server says of the refusal in the places of its marks: amounts, `#` numbers, and times in UTC. */
function filled(text: string, details: Details): string {
  return text.replace(/\{(#?)(\w+)\}/g, (_, plain: string, name: string) => {
    const value = details[name]
    if (typeof value === 'number') return plain ? number(value) : dollars(value)
    return typeof value === 'string' ? `${value.slice(0, 10)} ${value.slice(11, 16)} UTC` : '…'
  })
}
