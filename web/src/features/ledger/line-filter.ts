import type { LineFilter } from '@/api/wallet'
import type { Wanted } from './balance'

/** The same as the server is asked for it: from the first day's begin to the end of the last. */
export function lineFilterOf({ kind, from, to }: Wanted): LineFilter {
  return { ...(kind && { kind }), ...(from && { from: beginOf(from) }), ...(to && { to: beginOf(to, 1) }) }
}

function beginOf(day: string, daysLater = 0): string {
  const begin = new Date(`${day}T00:00:00`)
  begin.setDate(begin.getDate() + daysLater)
  return begin.toISOString()
}
