import * as z from 'zod/mini'
import { numberKinds, type NumberKind, parseNumber } from './parse-number'

// Otherwise zod tests whether it may use eval, which the CSP reports as a violation.
z.config({ jitless: true })

/** Parses a non-empty text; undefined if it is invalid. */
type Parser<T> = (text: string) => T | undefined

const parseOrReport =
  <T>(parse: Parser<T>) =>
  (text: string, { issues }: { issues: unknown[] }): T => {
    const value = parse(text)
    if (value !== undefined) return value
    issues.push({ code: 'custom', message: 'wrong', input: text })
    return z.NEVER
  }

/** A required field: `required` if empty, `wrong` if invalid. */
export function required<T>(parse: Parser<T>) {
  return z.pipe(z.string().check(z.trim(), z.minLength(1, 'required')), z.transform(parseOrReport(parse)))
}

/** An optional field: undefined if empty, `wrong` if invalid. */
export function optional<T>(parse: Parser<T>) {
  const parseFilled = parseOrReport(parse)
  return z.pipe(
    z.string().check(z.trim()),
    z.transform((text: string, context): T | undefined => (text === '' ? undefined : parseFilled(text, context))),
  )
}

/** Accepts any text. */
export const anyText: Parser<string> = (text) => text

/** A whole number in a range. */
export function wholeNumber(min: number, max: number, kind: NumberKind = numberKinds.whole): Parser<number> {
  return (text) => {
    const value = Number(parseNumber(text, kind) ?? NaN)
    return value >= min && value <= max ? value : undefined
  }
}

/** One of a list. */
export function oneOf<T extends string>(all: readonly T[]): Parser<T> {
  return (text) => all.find((known) => known === text)
}
