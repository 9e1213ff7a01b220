/** How many packs one press can open. */
export const quantities = [1, 3, 5, 10] as const

export type Quantity = (typeof quantities)[number]

/** A total above this needs a second press. */
export const confirmAboveCents = 10_000

/** What limits the number of packs. Unknown figures don't limit: the server checks every open. */
export interface QuantityLimits {
  priceCents: number
  balanceCents?: number | undefined
  /** Packs left in the store. */
  packsLeft?: number | undefined
  /** What the user's tightest loss limit still allows. */
  lossLeftCents?: number | undefined
  /** House rules: seconds between two opens, and what is left of today's packs and spending. */
  secondsBetween: number
  opensLeftToday?: number | undefined
  spendLeftTodayCents?: number | undefined
}

/** Why a number of packs can't be opened at once. */
export type QuantityBlock =
  | { kind: 'wait'; seconds: number }
  | { kind: 'supply'; left: number }
  | { kind: 'balance'; missingCents: number }
  | { kind: 'loss-limit'; leftCents: number }
  | { kind: 'opens-day'; left: number }
  | { kind: 'spend-day'; leftCents: number }

/** The reason why this many packs can't be opened; undefined if they can. One pack is left to the open button. */
export function quantityBlock(quantity: Quantity, limits: QuantityLimits): QuantityBlock | undefined {
  if (quantity === 1) return undefined
  const total = quantity * limits.priceCents
  const { secondsBetween, packsLeft, opensLeftToday, spendLeftTodayCents, lossLeftCents, balanceCents } = limits
  if (secondsBetween > 0) return { kind: 'wait', seconds: secondsBetween }
  if (packsLeft !== undefined && quantity > packsLeft) return { kind: 'supply', left: packsLeft }
  if (opensLeftToday !== undefined && quantity > opensLeftToday) return { kind: 'opens-day', left: opensLeftToday }
  if (spendLeftTodayCents !== undefined && total > spendLeftTodayCents) {
    return { kind: 'spend-day', leftCents: spendLeftTodayCents }
  }
  if (lossLeftCents !== undefined && total > lossLeftCents) return { kind: 'loss-limit', leftCents: lossLeftCents }
  if (balanceCents !== undefined && total > balanceCents) {
    return { kind: 'balance', missingCents: total - balanceCents }
  }
  return undefined
}
