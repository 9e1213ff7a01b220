import type { TransactionKind } from '@/api/wallet'
import { oneOfOrUndefined } from '@/lib/search-param'
import { kindNames } from './kinds'

export const lineKinds = Object.keys(kindNames) as TransactionKind[]

/** What lines are asked for: a kind, and days in the visitor's own time zone, both included. */
export interface Wanted {
  kind?: TransactionKind | undefined
  /** Such as 2026-11-22. */
  from?: string | undefined
  to?: string | undefined
}

/** What the address asks for; anything unknown is dropped. */
export function balanceSearch(raw: Readonly<Record<string, unknown>>): Wanted {
  return { kind: oneOfOrUndefined(lineKinds, raw['kind']), from: dayOf(raw['from']), to: dayOf(raw['to']) }
}

/** Nothing for what is no day of the calendar, such as February 30. */
function dayOf(written: unknown): string | undefined {
  if (typeof written !== 'string' || written.length !== 10) return undefined
  return new Date(written).toJSON()?.startsWith(written) ? written : undefined
}
