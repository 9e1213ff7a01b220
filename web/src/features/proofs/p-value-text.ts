import type { proofsTexts } from './texts'
import type { PackDraws } from '@/contract/types'

type Texts = ReturnType<typeof proofsTexts.useT>['fairness']

/** From here on a result is rare enough to say so, and then to be looked into. */
const unusual = 0.05
const unlikely = 0.001

/** What a p-value means, in words: how many fair runs of the same length come out at least as uneven. */
export function chanceWords({ opens, pValue }: Pick<PackDraws, 'opens' | 'pValue'>, t: Texts): string {
  if (opens === 0) return t.none
  if (pValue === null) return t.few
  const times = timesOf(pValue, t)
  if (pValue >= unusual) return t.likely(times)
  return pValue >= unlikely ? t.unusual(times) : t.unlikely(times)
}

function timesOf(pValue: number, t: Texts): string {
  if (pValue < 0.000_001) return t.lessThan(1, 1_000_000)
  // Enough runs to count at least a handful of them.
  const of = [100, 1000, 10_000, 100_000, 1_000_000].find((runs) => pValue * runs >= 5) ?? 1_000_000
  return t.outOf(Math.round(pValue * of), of)
}
