import { expect, it } from 'vitest'
import { someEntry } from '@test/data'
import { profitClass, profitOf, signedDollars } from './profit'

it('the profit is the value minus what was paid, and the whole value of a gift', () => {
  const item = { ...someEntry('a').item, baseValueCents: 1000 }
  expect(profitOf(someEntry('a', { item, paidCents: 250 }))).toBe(750)
  expect(profitOf(someEntry('a', { item, paidCents: 2500 }))).toBe(-1500)
  expect(profitOf(someEntry('a', { item, paidCents: 0, acquiredFrom: 'gift' }))).toBe(1000)
  expect(profitOf(someEntry('a', { item }))).toBeUndefined()
})

it.each([
  [123, '+$1.23', 'text-positive-text'],
  [0, '$0.00', ''],
  [-123, '−$1.23', ''],
])('shows a profit of %i cents as %s', (cents, text, classes) => {
  expect(signedDollars(cents)).toBe(text)
  expect(profitClass(cents)).toBe(classes)
})
