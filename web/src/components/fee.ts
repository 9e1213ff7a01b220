/** What a sale leaves the seller, in cents, after a fee in basis points; it is rounded half up, as the server does. */
export function afterFee(cents: number, points: number): number {
  return cents - Math.round((cents * points) / 10_000)
}

/** Basis points in per cent: 450 → 4.5. */
export function percentOf(points: number): number {
  return points / 100
}
