import * as z from 'zod/mini'
import { percentOf } from '@/components/fee'
import type { Language } from '@/i18n'
import type { Approval } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'

/** The requested amount in cents. −1 is an unlimited loss; undefined if the request isn't about money. */
export function centsOf({ payload }: Pick<Approval, 'payload'>): number | undefined {
  const fields: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  for (const name of ['acceptedLossCents', 'amountCents']) {
    if (typeof fields[name] === 'number') return fields[name]
  }
  return typeof fields['amount'] === 'number' ? Math.round(fields['amount'] * 100) : undefined
}

interface PayloadTexts {
  withoutBound: string
  values: (count: number) => string
  raise: (from: string, to: string) => string
  rates: (listing: number, bid: number, counter: number) => string
  ratesFrom: (rates: string, at: string) => string
}

/** What is requested: an amount, new values, or fees and when they take effect. */
export function amountText(
  approval: Pick<Approval, 'kind' | 'payload'>,
  texts: PayloadTexts,
  language: Language,
): string | undefined {
  if (approval.kind === 'value') return valuesText(raisesOf(approval), texts)
  if (approval.kind === 'change-rates') return ratesText(approval, texts, language)
  const cents = centsOf(approval)
  if (cents === undefined) return undefined
  return cents < 0 ? texts.withoutBound : dollars(cents)
}

const raised = z.object({
  source: z.string(),
  gainCents: z.number(),
  values: z.array(
    z.object({ itemId: z.string(), name: z.string(), fromCents: z.number(), baseValueCents: z.number() }),
  ),
})

/** Raised values with their source and the total gain for owners. */
export function raiseOf({ kind, payload }: Pick<Approval, 'kind' | 'payload'>) {
  return kind === 'value' ? z.parse(raised, payload) : undefined
}

export const raisesOf = (approval: Pick<Approval, 'kind' | 'payload'>) => raiseOf(approval)?.values ?? []

function valuesText(raises: ReturnType<typeof raisesOf>, { values, raise }: PayloadTexts): string {
  const [one] = raises
  return one && raises.length === 1 ? raise(dollars(one.fromCents), dollars(one.baseValueCents)) : values(raises.length)
}

function ratesText(
  { payload }: Pick<Approval, 'payload'>,
  { rates, ratesFrom }: PayloadTexts,
  language: Language,
): string {
  const fields: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  const percent = (of: string) => percentOf(Number(fields[of]))
  const text = rates(percent('listing'), percent('bid'), percent('counter'))
  const at = fields['effectiveAt']
  return typeof at === 'string' ? ratesFrom(text, dateTime(at, language)) : text
}
