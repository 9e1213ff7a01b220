import { numberKinds, type NumberKind, parseNumber } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import { priceCents } from '@/lib/price'

/** How the prices of several are told at once: each a share of its value, all the same, or more or less by an amount. */
export const rules = ['share', 'each', 'by'] as const

export type Rule = (typeof rules)[number]

/** What is typed for a rule. */
export const ruleKinds: Readonly<Record<Rule, NumberKind>> = {
  share: { ...numberKinds.money, percent: true },
  each: numberKinds.money,
  by: { ...numberKinds.money, signed: true },
}

/** An entry's value, and for how much it is for sale, where that is known. */
export interface Priced {
  baseValueCents: number
  salePriceCents?: number | null | undefined
}

/** The price of an entry by a rule and what was typed for it, in cents; undefined where that gives none that can be asked. */
export function priceBy(rule: Rule, typed: string, { baseValueCents, salePriceCents }: Priced): number | undefined {
  const value = parseNumber(typed, ruleKinds[rule])
  if (value === undefined) return undefined
  // Cents, or hundredths of a per cent.
  const amount = priceCents(value.replace('-', ''))
  if (amount === undefined) return undefined
  if (rule === 'each') return amount
  if (rule === 'share') return askable(Math.round((baseValueCents * amount) / 10_000))
  if (salePriceCents == null) return undefined
  return askable(value.startsWith('-') ? salePriceCents - amount : salePriceCents + amount)
}

function askable(cents: number): number | undefined {
  return cents >= 1 && cents <= terms.highestPriceCents ? cents : undefined
}
