import type { TransactionKind } from '@/api/wallet'
import { oneOfOrUndefined } from '@/lib/search-param'
import { kindNames } from './kinds'

export const lineKinds = Object.keys(kindNames) as TransactionKind[]

/** A transaction type and an inclusive range of days in the user's time zone. */
export interface BalanceFilter {
  kind?: TransactionKind | undefined
  /** YYYY-MM-DD */
  from?: string | undefined
  to?: string | undefined
}

/** Parses the page's search parameters and drops unknown values. */
export function balanceSearch(raw: Readonly<Record<string, unknown>>): BalanceFilter {
  return { kind: oneOfOrUndefined(lineKinds, raw['kind']), from: validDay(raw['from']), to: validDay(raw['to']) }
}

/** Undefined for text that isn't a calendar day, such as February 30. */
function validDay(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length !== 10) return undefined
  return new Date(text).toJSON()?.startsWith(text) ? text : undefined
}
