import type { LineFilter } from '@/api/wallet'
import { beginOf } from '@/lib/days'
import type { Wanted } from './balance'

/** The same as the server is asked for it: from the first day's begin to the end of the last. */
export function lineFilterOf({ kind, from, to }: Wanted): LineFilter {
  return { ...(kind && { kind }), ...(from && { from: beginOf(from) }), ...(to && { to: beginOf(to, 1) }) }
}
