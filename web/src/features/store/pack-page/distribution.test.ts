import { describe, expect, it } from 'vitest'
import { distributionOf } from './distribution'

const buckets = [
  { lowCents: 500, highCents: 1500, chance: 0.4 },
  { lowCents: 1500, highCents: 2500, chance: 0.3 },
  { lowCents: 2500, highCents: 3500, chance: 0 },
  { lowCents: 3500, highCents: 0, chance: 0.2 },
]

describe('the value distribution', () => {
  it('places ranges and price on one axis, and draws the last range as wide as the one before it', () => {
    const distribution = distributionOf(buckets, 2500)
    expect(distribution?.bars.map(({ left, width }) => [left, width])).toEqual([
      [0, 0.25],
      [0.25, 0.25],
      [0.5, 0.25],
      [0.75, 0.25],
    ])
    expect(distribution?.price).toBe(0.5)
    expect(distribution).toMatchObject({ lowCents: 500, highCents: 3500, isOpenEnded: true })
  })

  it('scales the bars to the likeliest range', () => {
    expect(distributionOf(buckets, 2500)?.bars.map(({ height }) => height)).toEqual([
      1,
      expect.closeTo(0.75, 6),
      0,
      0.5,
    ])
  })

  it('marks the ranges worth at least the price', () => {
    expect(distributionOf(buckets, 2500)?.bars.map(({ beatsPrice }) => beatsPrice)).toEqual([false, false, true, true])
  })

  it.each([
    [400, 0, { lowCents: 400, highCents: 2500 }],
    [5000, 1, { lowCents: 500, highCents: 5000 }],
  ])('includes a price of %d cents outside of all ranges', (priceCents, price, ends) => {
    const distribution = distributionOf(buckets.slice(0, 2), priceCents)
    expect(distribution?.price).toBe(price)
    expect(distribution).toMatchObject({ ...ends, isOpenEnded: false })
  })

  it('draws a single range without an upper bound', () => {
    const distribution = distributionOf([{ lowCents: 10_000, highCents: 0, chance: 1 }], 2500)
    expect(distribution?.bars).toMatchObject([{ height: 1, beatsPrice: true }])
    expect(distribution).toMatchObject({ price: 0, lowCents: 2500, highCents: 10_000, isOpenEnded: true })
  })

  it('is undefined if no card is left', () => {
    expect(distributionOf([], 2500)).toBeUndefined()
  })
})
