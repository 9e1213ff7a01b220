import { expect, it } from 'vitest'
import { fairness as t } from './texts/en'
import { describePValue } from './p-value-text'

it.each([
  [0.7389, t.likely('74 of 100')],
  [1, t.likely('100 of 100')],
  [0.05, t.likely('5 of 100')],
  [0.049, t.unusual('49 of 1,000')],
  [0.0012, t.unusual('12 of 10,000')],
  [0.000_99, t.unlikely('10 of 10,000')],
  [0.000_003, t.unlikely('3 of 1,000,000')],
  [1e-9, t.unlikely('fewer than 1 of 1,000,000')],
])('p = %d', (pValue, words) => {
  expect(describePValue({ opens: 100, pValue }, t)).toBe(words)
})

it('says nothing about chance without enough data', () => {
  expect(describePValue({ opens: 0, pValue: null }, t)).toBe(t.none)
  expect(describePValue({ opens: 2, pValue: null }, t)).toBe(t.few)
})
