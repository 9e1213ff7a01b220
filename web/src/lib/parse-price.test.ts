import { expect, it } from 'vitest'
import { priceCents, priceInput, wholePart } from './parse-price'

it.each([
  ['25', 2500],
  ['25.5', 2550],
  [' 25.50 ', 2550],
  ['0.01', 1],
  ['1.00500e1', 1005],
  ['12,50', 1250],
  ['1.250,00', 125_000],
  ['12.', 1200],
  ['1000000', 100_000_000],
  ['.5', 50],
  ['1e1', 1000],
  ['1E1', 1000],
  ['1.5e+2', 15_000],
  ['.05e2', 500],
  ['1234e-2', 1234],
  ['0.00000000000000000001e20', 100],
  ['1e6', 100_000_000],
  ['00025', 2500],
])('parses %j as %i cents', (typed, cents) => {
  expect(priceCents(typed)).toBe(cents)
})

it.each([
  '',
  ' ',
  '0',
  '0.004',
  '-5',
  '+5',
  '1,000',
  '1.000',
  '1.0049',
  '0.005',
  '12345e-3',
  'five',
  'NaN',
  '.',
  '.e1',
  'e1',
  '1e',
  '1e1.5',
  '1 e1',
  '1000000.01',
  '1e7',
  '1e400',
  '4e-3',
  '1e-400',
  '0e9',
  '99999999999999999999',
])('rejects %j', (typed) => {
  expect(priceCents(typed)).toBeUndefined()
})

it.each([
  ['12', 12],
  ['12.99', 12],
  ['.9', 0],
  ['1e3', 1000],
  ['1.55e1', 15],
  ['12,999', undefined],
  ['1,299.9', 1299],
])('the whole part of %j is %i', (typed, whole) => {
  expect(wholePart(typed)).toBe(whole)
})

it.each(['', '-1', 'cheap', '1e99'])('%j has no whole part', (typed) => {
  expect(wholePart(typed)).toBeUndefined()
})

it('formats a price as input text', () => {
  expect([1, 50, 100, 1950].map(priceInput)).toEqual(['0.01', '0.50', '1.00', '19.50'])
})
