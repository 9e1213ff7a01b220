import type { proofsTexts } from './texts'
import type { PackDraws } from '@/contract/types'

type Texts = ReturnType<typeof proofsTexts.useT>['fairness']

/** P-values below these are called unusual and unlikely. */
const unusual = 0.05
const unlikely = 0.001

/** Explains a p-value: how many fair runs of the same length would be at least as uneven. */
export function describePValue({ opens, pValue }: Pick<PackDraws, 'opens' | 'pValue'>, t: Texts): string {
  if (opens === 0) return t.none
  if (pValue === null) return t.few
  const times = frequencyText(pValue, t)
  if (pValue >= unusual) return t.likely(times)
  return pValue >= unlikely ? t.unusual(times) : t.unlikely(times)
}

function frequencyText(pValue: number, t: Texts): string {
  if (pValue < 0.000_001) return t.lessThan(1, 1_000_000)
  // The fewest runs of which at least five would be.
  const of = [100, 1000, 10_000, 100_000, 1_000_000].find((runs) => pValue * runs >= 5) ?? 1_000_000
  return t.outOf(Math.round(pValue * of), of)
}
