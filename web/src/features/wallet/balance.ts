import type { LineKind } from '@/api/wallet'
import { known } from '@/lib/address'
import { kindNames } from './kinds'

export const lineKinds = Object.keys(kindNames) as LineKind[]

/** What lines are asked for: a kind, and days in the visitor's own time zone, both included. */
export interface Wanted {
  kind?: LineKind | undefined
  /** Such as 2026-11-22. */
  from?: string | undefined
  to?: string | undefined
}

/** What the address asks for; anything unknown is dropped. */
export function balanceSearch(raw: Readonly<Record<string, unknown>>): Wanted {
  return { kind: known(lineKinds, raw['kind']), from: dayOf(raw['from']), to: dayOf(raw['to']) }
}

/** Nothing for what is no day of the calendar, such as February 30. */
function dayOf(written: unknown): string | undefined {
  if (typeof written !== 'string' || written.length !== 10) return undefined
  return new Date(written).toJSON()?.startsWith(written) ? written : undefined
}
