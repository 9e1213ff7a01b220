import type { TransactionFilter } from '@/api/wallet'
import { startOfDay } from '@/lib/start-of-day'
import type { Wanted } from './balance'

/** The same as the server is asked for it: from the first day's begin to the end of the last. */
export function lineFilterOf({ kind, from, to }: Wanted): TransactionFilter {
  return { ...(kind && { kind }), ...(from && { from: startOfDay(from) }), ...(to && { to: startOfDay(to, 1) }) }
}
