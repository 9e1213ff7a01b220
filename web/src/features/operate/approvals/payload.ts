import type { Approval } from '@/lib/contract/types'
import { percentOf } from '@/domain/fee'
import { dollars } from '@/lib/format'

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
  rates: (listing: number, bid: number, counter: number) => string
}

/** What is asked for in words: an amount, or fees. */
export function amountText(approval: Pick<Approval, 'kind' | 'payload'>, words: Words): string | undefined {
  if (approval.kind === 'change-rates') return ratesText(approval, words)
  const cents = centsOf(approval)
  if (cents === undefined) return undefined
  return cents < 0 ? words.withoutBound : dollars(cents)
}

function ratesText({ payload }: Pick<Approval, 'payload'>, { rates }: Words): string {
  const asked: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  const percent = (of: string) => percentOf(Number(asked[of]))
  return rates(percent('listing'), percent('bid'), percent('counter'))
}
