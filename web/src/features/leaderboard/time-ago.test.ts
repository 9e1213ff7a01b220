import { expect, it } from 'vitest'
import { leaderboard as board } from './texts/en'
import { timeAgo } from './time-ago'

const now = Date.parse('2026-03-04T12:00:00.000Z')

it.each([
  ['2026-03-04T12:00:05.000Z', 'just now'],
  ['2026-03-04T11:59:01.000Z', 'just now'],
  ['2026-03-04T11:59:00.000Z', '1 min ago'],
  ['2026-03-04T11:00:00.001Z', '59 min ago'],
  ['2026-03-04T11:00:00.000Z', '1h ago'],
  ['2026-03-03T12:00:00.000Z', '1d ago'],
])('formats the time since %s', (time, text) => {
  expect(timeAgo(time, now, board.ago)).toBe(text)
})
