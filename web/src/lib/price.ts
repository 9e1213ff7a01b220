import { numberKinds, parseNumber } from './parse-number'
import { terms } from './config'

/** More digits than any price has; beyond them nothing is written out. */
const longest = 15

/** A typed amount of 0 or more in cents; undefined if it is no such amount, or could be one of two. */
export function amountCents(typed: string): number | undefined {
  const [whole = '', decimals = ''] = parseNumber(typed, numberKinds.money)?.split('.') ?? []
  return whole === '' || whole.length > longest ? undefined : Number(whole + decimals.padEnd(2, '0'))
}

/**
 * A typed price in cents; undefined if it is no price from 1 cent to the most that the server takes, which is that of
 * a listing unless another is given.
 */
export function priceCents(typed: string, most = terms.highestPriceCents): number | undefined {
  const cents = amountCents(typed)
  return cents !== undefined && cents > 0 && cents <= most ? cents : undefined
}

/** A typed number of 0 or more, truncated to whole units; undefined if invalid or ambiguous. */
export function wholePart(typed: string): number | undefined {
  const [whole = ''] = parseNumber(typed, { decimals: Infinity, grouped: true })?.split('.') ?? []
  return whole === '' || whole.length > longest ? undefined : Number(whole)
}

/** Cents as text for an input: 1950 → "19.50". */
export function priceInput(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
