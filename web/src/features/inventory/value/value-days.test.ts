import { describe, expect, it } from 'vitest'
import type { ValueDay } from '@/contract/types'
import { firstDayOf, isMonthly, ownedDays, tableRows } from './value-days'

const now = Date.parse('2026-03-10T23:59:59Z')
const day = (text: string): ValueDay => ({ day: text, valueCents: 100, paidCents: 90 })
/** Days that end on 2026-03-10. */
const lastDays = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    day(new Date(now - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10)),
  )

describe('the first day of a period', () => {
  it('is left to the server for 30 days', () => expect(firstDayOf('month', now, '2020-01-01')).toBeUndefined())
  it('counts today', () => expect(firstDayOf('quarter', now, null)).toBe('2025-12-11'))
  it('is the day of the first item for all time', () => expect(firstDayOf('all', now, '2024-05-06')).toBe('2024-05-06'))
  it('isn’t earlier than the server accepts', () => {
    const first = firstDayOf('all', now, '2010-01-01')!
    expect((Date.parse('2026-03-10') - Date.parse(first)) / 86_400_000).toBe(1829)
  })
})

it('leaves out the days before the first item', () => {
  expect(ownedDays(lastDays(3), '2026-03-09').map((row) => row.day)).toEqual(['2026-03-09', '2026-03-10'])
  expect(ownedDays(lastDays(3), null)).toEqual([])
})

describe('the table', () => {
  it('lists short periods by day, newest first', () => {
    expect(tableRows(lastDays(2)).map((row) => row.day)).toEqual(['2026-03-10', '2026-03-09'])
    expect(isMonthly(lastDays(92))).toBe(false)
  })
  it('lists long periods by the last day of each month', () => {
    expect(isMonthly(lastDays(93))).toBe(true)
    expect(tableRows(lastDays(93)).map((row) => row.day)).toEqual([
      '2026-03-10',
      '2026-02-28',
      '2026-01-31',
      '2025-12-31',
    ])
  })
})
