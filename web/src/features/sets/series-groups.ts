import type { CardSet } from '@/contract/types'

/** A series and its sets. */
export interface SeriesGroup {
  whole: CardSet
  sets: CardSet[]
}

/** Groups sets by series. Each series comes before its sets, as in the server's order. */
export function seriesGroups(all: readonly CardSet[]): SeriesGroup[] {
  const groups: SeriesGroup[] = []
  for (const set of all) {
    const last = groups.at(-1)
    if (last?.whole.series === set.series) last.sets.push(set)
    else groups.push({ whole: set, sets: [] })
  }
  return groups
}
