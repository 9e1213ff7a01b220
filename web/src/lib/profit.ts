import { dollars } from './format'

/** An entry's value minus what it cost, in cents; undefined if the server doesn't say what it cost. */
export function profitOf(entry: { item: { baseValueCents: number }; paidCents?: number | undefined }) {
  return entry.paidCents === undefined ? undefined : entry.item.baseValueCents - entry.paidCents
}

/** Cents with their sign: 123 → "+$1.23", −123 → "−$1.23". */
export function signedDollars(cents: number): string {
  return `${cents > 0 ? '+' : ''}${dollars(cents)}`
}

/** The color of a profit. Losses stay neutral: most pulls are worth less than their price. */
export function profitClass(cents: number): string {
  return cents > 0 ? 'text-positive-text' : ''
}
