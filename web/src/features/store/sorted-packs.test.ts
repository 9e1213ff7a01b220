import { describe, expect, it } from 'vitest'
import { sortedPacks } from './sorted-packs'
import { storeSearch } from './store-search'

const pack = (id: string, priceCents: number, beatsPriceChance: number, expectedValueCents: number) => ({
  id,
  priceCents,
  beatsPriceChance,
  expectedValueCents,
})
const packs = [
  pack('a', 2500, 0.32, 2500),
  pack('b', 45_000, 0.35, 90_000),
  pack('c', 1000, 0.32, 1100),
  pack('d', 2500, 0.3, 2500),
]

describe('the order of the packs', () => {
  it.each([
    [undefined, ['a', 'b', 'c', 'd']],
    ['price', ['c', 'a', 'd', 'b']],
    ['chance', ['b', 'a', 'c', 'd']],
    ['value', ['b', 'c', 'a', 'd']],
  ] as const)('by %s', (sort, ids) => {
    expect(sortedPacks(packs, sort).map(({ id }) => id)).toEqual(ids)
  })

  it('leaves the packs as they are', () => {
    sortedPacks(packs, 'price')
    expect(packs.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('comes from the URL, without unknown values', () => {
    expect(storeSearch({ sort: 'chance' })).toEqual({ sort: 'chance' })
    expect(storeSearch({ sort: 'featured' })).toEqual({ sort: undefined })
    expect(storeSearch({ sort: 'constructor' })).toEqual({ sort: undefined })
    expect(storeSearch({})).toEqual({ sort: undefined })
  })
})
