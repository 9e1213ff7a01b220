import { expect, it } from 'vitest'
import { afterFee } from './fee'

it.each([
  [1, 1],
  [19, 19],
  [20, 19],
  [1999, 1900],
  [100_000_000, 95_000_000],
])('leaves the seller of something for %i cents %i', (cents, left) => {
  expect(afterFee(cents)).toBe(left)
})
