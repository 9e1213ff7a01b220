import { expect, it } from 'vitest'
import { priceCents, typedPrice } from './price'

it.each([
  ['25', 2500],
  ['25.5', 2550],
  [' 25.50 ', 2550],
  ['0.01', 1],
  ['1.005', 101],
  ['1.0049', 100],
  ['0.005', 1],
  ['12.', 1200],
  ['1000000', 100_000_000],
])('reads %j as %i cents', (typed, cents) => {
  expect(priceCents(typed)).toBe(cents)
})

it.each(['', ' ', '0', '0.004', '-5', '+5', '1e3', '1,000', 'five', 'NaN', '.', '1000000.01', '99999999999999999999'])(
  'refuses %j',
  (typed) => {
    expect(priceCents(typed)).toBeUndefined()
  },
)

it('writes a price as it is typed', () => {
  expect([1, 50, 100, 1950].map(typedPrice)).toEqual(['0.01', '0.50', '1.00', '19.50'])
})
