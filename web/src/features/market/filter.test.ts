import { describe, expect, it } from 'vitest'
import { filterOf } from './filter'

describe('the filter that an address asks for', () => {
  it.each([
    [
      'everything it knows',
      {
        search: 'char',
        series: 'onepiece',
        sortBy: 'price-low',
        certification: 'PSA',
        grade: 9,
        minPrice: 10,
        maxPrice: 200,
      },
    ],
    ['a price of nothing', { minPrice: 0, maxPrice: 0 }],
    ['nothing', {}],
  ])('is %s', (_, search) => {
    expect(filterOf(search)).toEqual(search)
  })

  it.each([
    ['digits that the router read as a number', { search: 1999 }, { search: '1999' }],
    [
      'numbers that came as text',
      { grade: '9', minPrice: '12.9', maxPrice: '1e3' },
      { grade: 9, minPrice: 12, maxPrice: 1000 },
    ],
    ['spaces around words', { search: '  blue eyes ' }, { search: 'blue eyes' }],
    ['words without an end', { search: 'x'.repeat(300) }, { search: 'x'.repeat(100) }],
  ])('is read from %s', (_, search, filter) => {
    expect(filterOf(search)).toEqual(filter)
  })

  it.each([
    { search: '' },
    { search: '   ' },
    { search: { $ne: 1 } },
    { series: 'chess' },
    { series: ['pokemon'] },
    { sortBy: 'colour' },
    { certification: 'psa' },
    { grade: 0 },
    { grade: 11 },
    { grade: null },
    { minPrice: -1 },
    { maxPrice: 'cheap' },
    { maxPrice: 100_000_001 },
    { colour: 'red' },
  ])('has nothing of %o', (search) => {
    expect(filterOf(search)).toEqual({})
  })
})
