import * as z from 'zod/mini'
import { numberKinds, type NumberKind, parseNumber } from './parse-number'

// Else it tries whether it may make functions out of text, and the page's policy reports that.
z.config({ jitless: true })

/** Parses a non-empty text; undefined if it is invalid. */
type Parser<T> = (text: string) => T | undefined

const reading =
  <T>(read: Parser<T>) =>
  (text: string, { issues }: { issues: unknown[] }): T => {
    const value = read(text)
    if (value !== undefined) return value
    issues.push({ code: 'custom', message: 'wrong', input: text })
    return z.NEVER
  }

/** A required field: `required` if empty, `wrong` if invalid. */
export function required<T>(read: Parser<T>) {
  return z.pipe(z.string().check(z.trim(), z.minLength(1, 'required')), z.transform(reading(read)))
}

/** An optional field: undefined if empty, `wrong` if invalid. */
export function optional<T>(read: Parser<T>) {
  const filled = reading(read)
  return z.pipe(
    z.string().check(z.trim()),
    z.transform((text: string, context): T | undefined => (text === '' ? undefined : filled(text, context))),
  )
}

/** The text itself. */
export const anyText: Parser<string> = (text) => text

/** A whole number from the least to the most. */
export function wholeNumber(least: number, most: number, kind: NumberKind = numberKinds.whole): Parser<number> {
  return (text) => {
    const value = Number(parseNumber(text, kind) ?? NaN)
    return value >= least && value <= most ? value : undefined
  }
}

/** One of a list. */
export function oneOf<T extends string>(all: readonly T[]): Parser<T> {
  return (text) => all.find((known) => known === text)
}
