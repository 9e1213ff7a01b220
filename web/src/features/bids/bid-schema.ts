import * as z from 'zod/mini'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { BidScope } from '@/contract/types'
import { priceCents } from '@/lib/parse-price'
import { graders } from '@/components/certificate'
import { rarities } from '@/lib/rarity'
import { anyText, oneOf, optional, required, wholeNumber } from '@/lib/field-parsers'
import { minGrades } from './criteria'
import { isValidBid } from './bid-math'

/** The text in the form's fields. */
export type BidFields = Record<
  'priceCents' | 'pegPercent' | 'capCents' | 'quantity' | 'days' | 'series' | 'certType' | 'rarity' | 'minGrade',
  string
>

/** The parsed form. Without `days` the bid keeps its expiry, or gets the default one. */
export interface BidValues {
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

/** In days. */
export const durations = [1, 7, terms.bidDays, terms.longestBidDays]

/** Parses a valid bid, in cents. */
export function parseBid(text: string): number | undefined {
  const cents = priceCents(text)
  return cents !== undefined && isValidBid(cents) ? cents : undefined
}

/** A field of the other price type: its text is ignored. */
const ignored = z.pipe(
  z.string(),
  z.transform(() => undefined),
)

export function bidSchema(pegged: boolean): z.ZodMiniType<BidValues, BidFields> {
  return z.object({
    priceCents: pegged ? ignored : required(parseBid),
    pegPercent: pegged ? required(wholeNumber(terms.leastPeg, terms.mostPeg, numberKinds.wholePercent)) : ignored,
    capCents: pegged ? required(parseBid) : ignored,
    quantity: required(wholeNumber(1, terms.mostBidFor)),
    days: optional(wholeNumber(1, terms.longestBidDays)),
    series: optional(anyText),
    certType: optional(oneOf(graders)),
    rarity: optional(oneOf(rarities)),
    minGrade: optional((text) => minGrades.find((grade) => String(grade) === text)),
  })
}
