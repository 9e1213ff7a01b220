import { expect, it } from 'vitest'
import { clockText, spokenLeft, type TimeWords } from './time-left'

const t: TimeWords = {
  hours: (hours, minutes) => `${hours} h ${minutes} min`,
  minutes: (minutes, seconds) => `${minutes}:${seconds} min`,
  lessThanHours: (n) => `less than ${n} hour${n === 1 ? '' : 's'}`,
  lessThanMinutes: (n) => `less than ${n} minute${n === 1 ? '' : 's'}`,
}

const minute = 60_000

it.each([
  [23 * 60 * minute + 59 * minute + 59_999, '23 h 59 min'],
  [60 * minute, '1 h 00 min'],
  [60 * minute - 1, '59:59 min'],
  [61_000, '1:01 min'],
  [999, '0:00 min'],
])('%i ms left are shown as %s', (left, text) => {
  expect(clockText(left, t)).toBe(text)
})

it.each([
  [25 * 60 * minute, ''],
  [24 * 60 * minute - 1, 'less than 24 hours'],
  [59 * minute, 'less than 1 hour'],
  [10 * minute, 'less than 30 minutes'],
  [10 * minute - 1, 'less than 10 minutes'],
  [1, 'less than 1 minute'],
])('%i ms left are announced as "%s"', (left, text) => {
  expect(spokenLeft(left, t)).toBe(text)
})
