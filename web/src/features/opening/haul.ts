import type { OpenResult, PulledItem } from '@/contract/types'

/** The results of one or several opens. */
export interface Haul {
  openings: readonly OpenResult[]
  /** From the least to the most valuable. */
  items: readonly PulledItem[]
  totalValueCents: number
  priceCents: number
}

/** Leaves out orders that aren't drawn. */
export function haulOf(all: readonly OpenResult[]): Haul {
  const openings = all.filter(({ state }) => state === 'open')
  const sum = (of: (opening: OpenResult) => number) => openings.reduce((total, opening) => total + of(opening), 0)
  return {
    openings,
    items: openings.flatMap(({ items }) => items).toSorted((a, b) => a.baseValueCents - b.baseValueCents),
    totalValueCents: sum(({ totalValueCents }) => totalValueCents),
    priceCents: sum(({ priceCents }) => priceCents),
  }
}
