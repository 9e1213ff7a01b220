import * as z from 'zod/mini'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { BidScope } from '@/contract/types'
import { priceCents } from '@/lib/price'
import { graders } from '@/components/certificate'
import { rarities } from '@/lib/rarity'
import { anyText, oneOf, optional, required, wholeNumber } from '@/lib/field-parsers'
import { minGrades } from './criterion'
import { isBid } from './rules'

/** What is typed of a bid. */
export type Typed = Record<
  'priceCents' | 'pegPercent' | 'capCents' | 'quantity' | 'days' | 'series' | 'certType' | 'rarity' | 'minGrade',
  string
>

/** What a bid asks for; `days` is undefined for the end that it has, or the usual one. */
export interface Asked {
  priceCents?: number | undefined
  pegPercent?: number | undefined
  capCents?: number | undefined
  quantity: number
  days?: number | undefined
  series?: string | undefined
  certType?: (typeof graders)[number] | undefined
  rarity?: (typeof rarities)[number] | undefined
  minGrade?: BidScope['minGrade'] | undefined
}

/** For how many days a bid can be open. */
export const lives = [1, 7, terms.bidDays, terms.longestBidDays]

/** A price that a bid may have, in cents; undefined for any other. */
export function bidCents(text: string): number | undefined {
  const cents = priceCents(text)
  return cents !== undefined && isBid(cents) ? cents : undefined
}

/** What does not count now, whatever stands in its field. */
const unasked = z.pipe(
  z.string(),
  z.transform(() => undefined),
)

/** Reads a bid of a fixed price, or one of a part of the value. */
export function bidSchema(pegged: boolean): z.ZodMiniType<Asked, Typed> {
  return z.object({
    priceCents: pegged ? unasked : required(bidCents),
    pegPercent: pegged ? required(wholeNumber(terms.leastPeg, terms.mostPeg, numberKinds.wholePercent)) : unasked,
    capCents: pegged ? required(bidCents) : unasked,
    quantity: required(wholeNumber(1, terms.mostBidFor)),
    days: optional(wholeNumber(1, terms.longestBidDays)),
    series: optional(anyText),
    certType: optional(oneOf(graders)),
    rarity: optional(oneOf(rarities)),
    minGrade: optional((text) => minGrades.find((grade) => String(grade) === text)),
  })
}
