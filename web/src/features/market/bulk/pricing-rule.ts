import { numberKinds, type NumberKind, parseNumber } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import { priceCents } from '@/lib/parse-price'

/** How to price several entries: a percentage of each value, one price for all, or a change of each price. */
export const pricingRules = ['share', 'each', 'by'] as const

export type PricingRule = (typeof pricingRules)[number]

export const ruleNumberKinds: Readonly<Record<PricingRule, NumberKind>> = {
  share: { ...numberKinds.money, percent: true },
  each: numberKinds.money,
  by: { ...numberKinds.money, signed: true },
}

export interface PricedEntry {
  baseValueCents: number
  salePriceCents?: number | null | undefined
}

/** The entry's new price in cents; undefined if the input is invalid or the price is out of range. */
export function applyRule(
  rule: PricingRule,
  input: string,
  { baseValueCents, salePriceCents }: PricedEntry,
): number | undefined {
  const value = parseNumber(input, ruleNumberKinds[rule])
  if (value === undefined) return undefined
  // In cents, or in hundredths of a percent.
  const amount = priceCents(value.replace('-', ''))
  if (amount === undefined) return undefined
  if (rule === 'each') return amount
  if (rule === 'share') return validPrice(Math.round((baseValueCents * amount) / 10_000))
  if (salePriceCents == null) return undefined
  return validPrice(value.startsWith('-') ? salePriceCents - amount : salePriceCents + amount)
}

function validPrice(cents: number): number | undefined {
  return cents >= 1 && cents <= terms.highestPriceCents ? cents : undefined
}
