import { expect, it } from 'vitest'
import { applyRule } from './pricing-rule'

const entry = { baseValueCents: 999, salePriceCents: 1500 }

it.each([
  ['share', '110', 1099],
  ['share', '99.99', 999],
  ['share', '1e2', 999],
  ['share', '110 %', 1099],
  ['share', '99,5', 994],
  ['each', '12.34', 1234],
  ['each', '12。34', 1234],
  ['by', '0.5', 1550],
  ['by', '+0.5', 1550],
  ['by', ' -14.99', 1],
  ['by', '－0，5', 1450],
] as const)('%s %s makes %i cents', (rule, input, cents) => {
  expect(applyRule(rule, input, entry)).toBe(cents)
})

it.each([
  ['share', ''],
  ['share', '0'],
  ['share', '-110'],
  ['share', '0.01'],
  ['share', 'NaN'],
  ['share', '1e309'],
  ['share', '20000000'],
  ['each', '-1'],
  ['each', '1.250'],
  ['each', '50%'],
  ['each', '1000000.01'],
  ['by', '-15'],
  ['by', '--1'],
  ['by', '999999'],
] as const)('%s “%s” has no price', (rule, input) => {
  expect(applyRule(rule, input, entry)).toBeUndefined()
})

it('can’t change an unknown price', () => {
  expect(applyRule('by', '1', { baseValueCents: 999 })).toBeUndefined()
})
