import type { Pack } from '@/contract/types'
import type { PackSort } from './store-search'

type Figures = Pick<Pack, 'priceCents' | 'beatsPriceChance' | 'expectedValueCents'>

const compare: Record<PackSort, (a: Figures, b: Figures) => number> = {
  price: (a, b) => a.priceCents - b.priceCents,
  chance: (a, b) => b.beatsPriceChance - a.beatsPriceChance,
  // Per point, without dividing.
  value: (a, b) => b.expectedValueCents * a.priceCents - a.expectedValueCents * b.priceCents,
}

/** The packs in an order: the cheapest or the best first, equal ones as featured. */
export function sortedPacks<P extends Figures>(packs: readonly P[], sort: PackSort | undefined): readonly P[] {
  return sort ? packs.toSorted(compare[sort]) : packs
}
