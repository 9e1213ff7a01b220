import { describe, expect, it } from 'vitest'
import type { Bid } from '@/contract/types'
import { afterFee } from '@/components/fee'
import { beatsHouse, bidFrom, crossing, houseFor, isBid, others, outbidding, paysFor } from './rules'

describe('the steps of bids', () => {
  it.each([
    [45, false],
    [50, true],
    [52, false],
    [1000, true],
    [1005, false],
    [1025, true],
    [10_025, false],
    [10_100, true],
    [100_100, false],
    [100_500, true],
    [100_000_000, true],
    [100_000_500, false],
  ])('%i cents', (cents, fits) => expect(isBid(cents)).toBe(fits))

  it.each([
    [1, 50],
    [51, 55],
    [1001, 1025],
    [9999, 10_000],
    [10_001, 10_100],
    [100_000_000, 100_000_000],
    [100_000_001, undefined],
  ])('from %i cents on the lowest is %s', (cents, bid) => expect(bidFrom(cents)).toBe(bid))
})

it('a part of the value is rounded down and never more than the cap', () => {
  expect(paysFor({ pegPercent: 92, capCents: 10_000 }, 1127)).toBe(1036)
  expect(paysFor({ pegPercent: 92, capCents: 1000 }, 1127)).toBe(1000)
  expect(paysFor({ priceCents: 975 }, 1127)).toBe(975)
})

it.each([1, 50, 99, 987, 1127, 5555, 12_345, 99_999, 1_234_567])(
  'beats the house for a value of %i, and no lower bid does',
  (value) => {
    const house = houseFor(value)
    const bid = beatsHouse(house, 200)!
    expect(isBid(bid)).toBe(true)
    expect(afterFee(bid, 200)).toBeGreaterThan(house)
    for (let lower = Math.max(50, bid - 500); lower < bid; lower += 1) {
      if (isBid(lower)) expect(afterFee(lower, 200)).toBeLessThanOrEqual(house)
    }
  },
)

describe('what is bought at once', () => {
  const asks = [
    { priceCents: 900, count: 2 },
    { priceCents: 1000, count: 1 },
    { priceCents: 1100, count: 5 },
  ]

  it('is the cheapest, for no more than is bid and no more than are wanted', () => {
    expect(crossing(asks, 1000, 5)).toEqual({ count: 3, cents: 2800 })
    expect(crossing(asks, 1100, 4)).toEqual({ count: 4, cents: 3900 })
    expect(crossing(asks, 899, 1)).toEqual({ count: 0, cents: 0 })
  })

  it('is nothing of one’s own', () => {
    expect(crossing(others(asks, [900, 900, 1000]), 1000, 5)).toEqual({ count: 0, cents: 0 })
  })
})

describe('outbidding', () => {
  const bid = (more: Partial<Bid>): Bid => ({
    id: 'b1',
    scope: { itemId: 'pkm-001' },
    quantity: 1,
    left: 1,
    heldCents: 0,
    state: 'open',
    createdAt: '',
    expiresAt: '',
    ...more,
  })
  const valueCents = 1127

  it('is one step more than the best of the others', () => {
    expect(outbidding(bid({ priceCents: 900, outbidCents: 1000 }))).toEqual({ priceCents: 1025 })
    expect(outbidding(bid({ priceCents: 900 }))).toBeUndefined()
  })

  it('raises cap or part of the value by as little as can be', () => {
    expect(outbidding(bid({ pegPercent: 100, capCents: 1000, outbidCents: 1050, valueCents }))).toEqual({
      pegPercent: 100,
      capCents: 1075,
    })
    expect(outbidding(bid({ pegPercent: 90, capCents: 2000, outbidCents: 1050, valueCents }))).toEqual({
      pegPercent: 94,
      capCents: 2000,
    })
  })

  it('cannot go beyond the largest part of the value', () => {
    expect(outbidding(bid({ pegPercent: 90, capCents: 2000, outbidCents: 1500, valueCents }))).toBeUndefined()
  })

  it('goes by the cap where it is for many items', () => {
    const scope = { rarity: 'Epic' } as const
    expect(outbidding(bid({ scope, pegPercent: 90, capCents: 2000, outbidCents: 3000 }))).toEqual({
      pegPercent: 90,
      capCents: 3025,
    })
  })
})
