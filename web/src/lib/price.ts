/** The highest price that the server takes, in cents. */
const highestPrice = 100_000_000

/**
 * What somebody typed as a price in dollars, in cents, rounded by the third decimal; undefined for what is no
 * number above 0 that the server takes. Read digit by digit: 1.005 is 101 cents, as a float it would be 100.
 */
export function priceCents(typed: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(typed.trim()) ?? []
  if (whole === undefined || whole.length > 9) return undefined
  const [tenth = '0', hundredth = '0', rest = '0'] = fraction
  const cents = Number(whole) * 100 + Number(tenth + hundredth) + (rest >= '5' ? 1 : 0)
  return cents > 0 && cents <= highestPrice ? cents : undefined
}

/** Cents as somebody would type them: 1950 → "19.50". */
export function typedPrice(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
