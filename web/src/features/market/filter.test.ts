import { describe, expect, it } from 'vitest'
import { filterOf } from './filter'

describe('filterOf', () => {
  it.each([
    [
      'all known fields',
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
    ['a price of 0', { minPrice: 0, maxPrice: 0 }],
    ['nothing', {}],
  ])('keeps %s', (_, search) => {
    expect(filterOf(search)).toEqual(search)
  })

  it.each([
    ['digits that the router parsed as a number', { search: 1999 }, { search: '1999' }],
    [
      'numbers that came as text',
      { grade: '9', minPrice: '12.9', maxPrice: '1e3' },
      { grade: 9, minPrice: 12, maxPrice: 1000 },
    ],
    ['spaces around the search text', { search: '  blue eyes ' }, { search: 'blue eyes' }],
    ['a very long search text', { search: 'x'.repeat(300) }, { search: 'x'.repeat(100) }],
  ])('parses %s', (_, search, filter) => {
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
    { minPrice: '' },
    { minPrice: null },
    { maxPrice: 'cheap' },
    { maxPrice: 100_000_001 },
    { colour: 'red' },
  ])('drops %o', (search) => {
    expect(filterOf(search)).toEqual({})
  })
})
