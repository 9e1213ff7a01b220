import * as z from 'zod/mini'
import { percentOf } from '@/components/fee'
import type { Language } from '@/i18n'
import type { Approval } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'

/** The amount that is asked for, in cents: −1 for a loss without a bound; none where it is not about money. */
function centsOf({ payload }: Pick<Approval, 'payload'>): number | undefined {
  const asked: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  for (const name of ['acceptedLossCents', 'amountCents']) {
    if (typeof asked[name] === 'number') return asked[name]
  }
  return typeof asked['amount'] === 'number' ? Math.round(asked['amount'] * 100) : undefined
}

interface Words {
  withoutBound: string
  values: (count: number) => string
  raise: (from: string, to: string) => string
  rates: (listing: number, bid: number, counter: number) => string
  ratesFrom: (rates: string, at: string) => string
}

/** What is asked for in words: an amount, values, or fees and the time that was asked for them. */
export function amountText(
  approval: Pick<Approval, 'kind' | 'payload'>,
  words: Words,
  language: Language,
): string | undefined {
  if (approval.kind === 'value') return valuesText(raisesOf(approval), words)
  if (approval.kind === 'change-rates') return ratesText(approval, words, language)
  const cents = centsOf(approval)
  if (cents === undefined) return undefined
  return cents < 0 ? words.withoutBound : dollars(cents)
}

const raised = z.object({
  source: z.string(),
  gainCents: z.number(),
  values: z.array(
    z.object({ itemId: z.string(), name: z.string(), fromCents: z.number(), baseValueCents: z.number() }),
  ),
})

/** The values that are to rise, where they are from, and what they bring. */
export function raiseOf({ kind, payload }: Pick<Approval, 'kind' | 'payload'>) {
  return kind === 'value' ? z.parse(raised, payload) : undefined
}

/** The values that are to rise. */
export const raisesOf = (approval: Pick<Approval, 'kind' | 'payload'>) => raiseOf(approval)?.values ?? []

function valuesText(raises: ReturnType<typeof raisesOf>, { values, raise }: Words): string {
  const [one] = raises
  return one && raises.length === 1 ? raise(dollars(one.fromCents), dollars(one.baseValueCents)) : values(raises.length)
}

function ratesText({ payload }: Pick<Approval, 'payload'>, { rates, ratesFrom }: Words, language: Language): string {
  const asked: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  const percent = (of: string) => percentOf(Number(asked[of]))
  const text = rates(percent('listing'), percent('bid'), percent('counter'))
  const at = asked['effectiveAt']
  return typeof at === 'string' ? ratesFrom(text, dateTime(at, language)) : text
}
