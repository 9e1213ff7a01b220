/** Every code the server answers with, and two of our own: `network` and `unknown`. */
export const errorCodes = [
  'network',
  'unknown',
  'malformed',
  'unauthenticated',
  'wallet_mismatch',
  'bad_signature',
  'insufficient_funds',
  'forbidden',
  'excluded',
  'limit_reached',
  'not_found',
  'misdirected',
  'conflict',
  'commitment_changed',
  'manifest_changed',
  'already_sold',
  'own_listing',
  'not_listed',
  'already_listed',
  'price_changed',
  'margin',
  'sold_out',
  'inactive',
  'too_large',
  'invalid',
  'idempotency_mismatch',
  'rate_limited',
  'internal',
  'unavailable',
] as const

export type ErrorCode = (typeof errorCodes)[number]

export function isErrorCode(code: string): code is ErrorCode {
  return (errorCodes as readonly string[]).includes(code)
}
