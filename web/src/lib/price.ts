import { terms } from './config'

/** More digits than any price has; beyond them nothing is written out. */
const longest = 15

/**
 * A number of 0 or more as somebody types it, ".5" and "1e1" included, moved `places` decimals to the left: its
 * whole part, and the first digit after it. Read digit by digit, as a float would round on the way. Undefined for
 * what is no number, and for one beyond every price.
 */
function shifted(typed: string, places: number): { whole: number; next: number } | undefined {
  const [, before = '', after = '', exponent = '0'] =
    /^(?=\.?\d)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(typed.trim()) ?? []
  const digits = (before + after).replace(/^0+/, '')
  if (before + after === '') return undefined
  if (digits === '') return { whole: 0, next: 0 }
  const point = digits.length - after.length + Number(exponent) + places
  if (point > longest) return undefined
  if (point < 0) return { whole: 0, next: 0 }
  return { whole: Number(digits.slice(0, point).padEnd(point, '0')), next: Number(digits[point] ?? 0) }
}

/**
 * What somebody typed as a price in dollars, in cents, rounded by the third decimal; undefined for what is no
 * number above 0 that the server takes: the most is of a listing, if nothing else is said. 1.005 is 101 cents; as
 * a float it would be 100.
 */
export function priceCents(typed: string, most = terms.highestPriceCents): number | undefined {
  const read = shifted(typed, 2)
  if (!read) return undefined
  const cents = read.whole + (read.next >= 5 ? 1 : 0)
  return cents > 0 && cents <= most ? cents : undefined
}

/** What somebody typed, in whole units, the rest cut off; undefined for what is no number of 0 or more. */
export function wholePart(typed: string): number | undefined {
  return shifted(typed, 0)?.whole
}

/** Cents as somebody would type them: 1950 → "19.50". */
export function typedPrice(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
