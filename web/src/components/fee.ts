/** A seller's proceeds in cents after a fee in basis points, rounded half up like on the server. */
export function afterFee(cents: number, points: number): number {
  return cents - Math.round((cents * points) / 10_000)
}

/** Converts basis points to percent: 450 → 4.5. */
export function percentOf(points: number): number {
  return points / 100
}
