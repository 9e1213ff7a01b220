import type { TransactionFilter } from '@/api/wallet'
import { startOfDay } from '@/lib/start-of-day'
import type { BalanceFilter } from './balance-search'

/** The server's filter: from the start of the first day to the end of the last. */
export function lineFilterOf({ kind, from, to }: BalanceFilter): TransactionFilter {
  return { ...(kind && { kind }), ...(from && { from: startOfDay(from) }), ...(to && { to: startOfDay(to, 1) }) }
}
