import { expect, it } from 'vitest'
import { afterFee } from './fee'

it.each([
  [1, 1],
  [9, 9],
  [10, 9],
  [29, 28],
  [30, 28],
  [1989, 1890],
  [1990, 1890],
  [1999, 1899],
  [100_000_000, 95_000_000],
])('a price of %i cents leaves the seller %i', (cents, left) => {
  expect(afterFee(cents, 500)).toBe(left)
})

it.each([
  [1000, 450, 955],
  [100, 150, 98],
  [1000, 0, 1000],
])('a price of %i cents at %i basis points leaves the seller %i', (cents, points, left) => {
  expect(afterFee(cents, points)).toBe(left)
})
