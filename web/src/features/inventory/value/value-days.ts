import type { ValueDay } from '@/contract/types'

const dayMs = 86_400_000

/** Days of each period; `all` begins with the first item. */
export const periods = { month: 30, quarter: 90, year: 365, all: Infinity } as const

export type Period = keyof typeof periods

/** The most days that the server returns. */
const mostDays = 1830

/** The first day (UTC) of a period that ends at `now` (in ms); undefined for the server's default of 30 days. */
export function firstDayOf(period: Period, now: number, firstOwned: string | null | undefined): string | undefined {
  if (period === 'month') return undefined
  const earliest = dayOf(now - (Math.min(periods[period], mostDays) - 1) * dayMs)
  return period === 'all' && firstOwned && firstOwned > earliest ? firstOwned : earliest
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The days from the first owned item on; none if there was never one. */
export function ownedDays(days: readonly ValueDay[], firstOwned: string | null): ValueDay[] {
  return firstOwned === null ? [] : days.filter(({ day }) => day >= firstOwned)
}

/** The most days that a table lists one by one. */
const mostRows = 92

/** The rows of a table, newest first: each day, or the last day of each month if there are too many. */
export function tableRows(days: readonly ValueDay[]): ValueDay[] {
  const month = ({ day }: ValueDay) => day.slice(0, 7)
  const rows = isMonthly(days)
    ? days.filter((row, index) => index === days.length - 1 || month(row) !== month(days[index + 1] ?? row))
    : [...days]
  return rows.reverse()
}

/** Whether the table has one row per month. */
export function isMonthly(days: readonly ValueDay[]): boolean {
  return days.length > mostRows
}
