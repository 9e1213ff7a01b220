import { ApiError } from './error'

/** What to show a user whose price is far from the value. */
export interface FarPrice {
  valueCents: number
  /** What Kaibao would pay now. */
  houseCents: number
}

interface Details extends Partial<FarPrice> {
  lines?: readonly (FarPrice & { inventoryId: string })[]
}

/** Why the server asks about a price again; undefined for any other refusal. */
export function farPrice(error: unknown): FarPrice | undefined {
  const { valueCents, houseCents } = detailsOf(error)
  return valueCents === undefined || houseCents === undefined ? undefined : { valueCents, houseCents }
}

/** The same for each line of several that it asks about, by entry. */
export function farLines(error: unknown): ReadonlyMap<string, FarPrice> {
  return new Map(detailsOf(error).lines?.map(({ inventoryId, ...far }) => [inventoryId, far]))
}

function detailsOf(error: unknown): Details {
  return error instanceof ApiError && error.code === 'confirm_price' ? (error.details ?? {}) : {}
}
