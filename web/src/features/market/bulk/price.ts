import { terms } from '@/lib/config'
import { priceCents } from '@/lib/price'

/** How the prices of several are told at once: each a share of its value, all the same, or more or less by an amount. */
export const rules = ['share', 'each', 'by'] as const

export type Rule = (typeof rules)[number]

/** An entry's value, and for how much it is for sale, where that is known. */
export interface Priced {
  baseValueCents: number
  salePriceCents?: number | null | undefined
}

/** The price of an entry by a rule and what was typed for it, in cents; undefined where that gives none that can be asked. */
export function priceBy(rule: Rule, typed: string, { baseValueCents, salePriceCents }: Priced): number | undefined {
  if (rule === 'each') return priceCents(typed)
  const text = typed.trim()
  const down = text.startsWith('-')
  // Hundredths of a per cent, as a price has hundredths of a dollar.
  const amount = priceCents(text.replace(/^[-+]/, ''))
  if (amount === undefined || (rule === 'share' && down)) return undefined
  if (rule === 'share') return askable(Math.round((baseValueCents * amount) / 10_000))
  return salePriceCents == null ? undefined : askable(down ? salePriceCents - amount : salePriceCents + amount)
}

function askable(cents: number): number | undefined {
  return cents >= 1 && cents <= terms.highestPriceCents ? cents : undefined
}
