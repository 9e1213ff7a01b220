import { numberKinds, parseNumber } from './parse-number'
import { terms } from './config'

/** More digits than any price has; longer numbers count as invalid. */
const maxDigits = 15

/** Parses an amount of 0 or more into cents; undefined if invalid or ambiguous. */
export function amountCents(text: string): number | undefined {
  const [whole = '', decimals = ''] = parseNumber(text, numberKinds.money)?.split('.') ?? []
  return whole === '' || whole.length > maxDigits ? undefined : Number(whole + decimals.padEnd(2, '0'))
}

/** Parses a price into cents; undefined unless it is from 1 to `max` cents, by default the highest price of a listing. */
export function priceCents(text: string, max = terms.highestPriceCents): number | undefined {
  const cents = amountCents(text)
  return cents !== undefined && cents > 0 && cents <= max ? cents : undefined
}

/** Parses a number of 0 or more, truncated to whole units; undefined if invalid or ambiguous. */
export function wholePart(text: string): number | undefined {
  const [whole = ''] = parseNumber(text, { decimals: Infinity, grouped: true })?.split('.') ?? []
  return whole === '' || whole.length > maxDigits ? undefined : Number(whole)
}

/** Cents as text for an input: 1950 → "19.50". */
export function priceInput(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
