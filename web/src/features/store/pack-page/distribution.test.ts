import { describe, expect, it } from 'vitest'
import { pokemonDetail } from '@test/data'
import { chanceAtLeast, distributionOf } from './distribution'

describe('the value distribution', () => {
  it('places bands and price on one logarithmic axis', () => {
    const distribution = distributionOf(pokemonDetail.odds ?? [], 2500)
    expect(distribution?.lowCents).toBe(500)
    expect(distribution?.highCents).toBe(5000)
    expect(distribution?.price).toBeCloseTo(Math.log10(5), 6)
    expect(distribution?.boxes.map((box) => box.left)).toEqual([
      0,
      expect.closeTo(Math.log10(3), 6),
      expect.closeTo(Math.log10(5), 6),
    ])
    expect(distribution?.boxes.map((box) => box.height)).toEqual([expect.closeTo(0.76, 2), 1, expect.closeTo(0.81, 2)])
  })

  it('gives an open-ended band an end', () => {
    const open = { label: '$6,000+', lowCents: 600_000, highCents: 0, chance: 0.02 }
    expect(distributionOf([open], 45_000)?.highCents).toBe(900_000)
  })

  it('is undefined for bands without values', () => {
    expect(distributionOf([{ label: 'Rare', lowCents: 0, highCents: 0, chance: 1 }], 2500)).toBeUndefined()
  })

  it('sums the chances of values at or above the price', () => {
    expect(chanceAtLeast(pokemonDetail.odds ?? [], 2500)).toBeCloseTo(0.3162, 4)
  })

  it('gives no sum when a band spans the price', () => {
    expect(chanceAtLeast(pokemonDetail.odds ?? [], 3000)).toBeUndefined()
  })
})
