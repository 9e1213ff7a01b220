import { expect, it } from 'vitest'
import { oneIn } from './one-in'

it.each([
  [0.000233, '4,292'],
  [0.1, '10'],
  [0.1005, '10'],
  [0.101, '9.9'],
  [0.3, '3.3'],
  [0.5, '2'],
  [0.7, '1.4'],
  [1, '1'],
])('a chance of %s is one in n', (chance, n) => {
  expect(oneIn(chance)).toBe(n)
})
