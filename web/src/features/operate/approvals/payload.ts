import type { Approval } from '@/lib/contract/types'
import { dollars } from '@/lib/format'

/** The amount that is asked for, in cents: −1 for a loss without a bound; none where it is not about money. */
function centsOf({ payload }: Pick<Approval, 'payload'>): number | undefined {
  const asked: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  for (const name of ['acceptedLossCents', 'amountCents']) {
    if (typeof asked[name] === 'number') return asked[name]
  }
  return typeof asked['amount'] === 'number' ? Math.round(asked['amount'] * 100) : undefined
}

/** The same in words. */
export function amountText(approval: Pick<Approval, 'payload'>, withoutBound: string): string | undefined {
  const cents = centsOf(approval)
  if (cents === undefined) return undefined
  return cents < 0 ? withoutBound : dollars(cents)
}
