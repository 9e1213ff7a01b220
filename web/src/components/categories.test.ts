import { expect, it } from 'vitest'
import { categoryOfSeries, isToyPack } from './categories'

it.each([
  ['One Piece', 'onepiece'],
  ['Labubu Deluxe Collection', 'labubu'],
  ['Starter', undefined],
])('%s is in the category %s', (series, category) => {
  expect(categoryOfSeries(series)).toBe(category)
})

it.each([
  [['Labubu Collection'], true],
  [['Pokemon', 'Labubu Deluxe Collection'], true],
  [['Pokemon'], false],
  [[], false],
])('a pack over %j contains toys: %s', (series, toys) => {
  expect(isToyPack({ series })).toBe(toys)
})
