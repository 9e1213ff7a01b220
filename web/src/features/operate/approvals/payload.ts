import type { Approval } from '@/lib/contract/types'
import { dollars } from '@/lib/format'

/** The amount that is asked for, in cents: −1 for a loss without a bound. */
export function centsOf({ payload }: Pick<Approval, 'payload'>): number | undefined {
  const asked: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  for (const name of ['acceptedLossCents', 'amountCents']) {
    if (typeof asked[name] === 'number') return asked[name]
  }
  return typeof asked['amount'] === 'number' ? Math.round(asked['amount'] * 100) : undefined
}

/** The same in words. */
export function amountText(cents: number | undefined, withoutBound: string): string {
  if (cents === undefined) return '—'
  return cents < 0 ? withoutBound : dollars(cents)
}
