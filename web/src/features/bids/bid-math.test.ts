import { describe, expect, it } from 'vitest'
import type { Bid } from '@/contract/types'
import { afterFee } from '@/components/fee'
import {
  bidBeatingKaibao,
  roundDownToBid,
  roundUpToBid,
  matchAsks,
  sellBackPrice,
  isValidBid,
  withoutOwn,
  outbidPrice,
  priceFor,
} from './bid-math'

describe('bid steps', () => {
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
  ])('%i cents', (cents, fits) => expect(isValidBid(cents)).toBe(fits))

  it.each([
    [1, 50],
    [51, 55],
    [1001, 1025],
    [9999, 10_000],
    [10_001, 10_100],
    [100_000_000, 100_000_000],
    [100_000_001, undefined],
  ])('rounds %i cents up to %s', (cents, bid) => expect(roundUpToBid(cents)).toBe(bid))
})

it('rounds a percentage of the value down and caps it', () => {
  expect(priceFor({ pegPercent: 92, capCents: 10_000 }, 1127)).toBe(1036)
  expect(priceFor({ pegPercent: 92, capCents: 1000 }, 1127)).toBe(1000)
  expect(priceFor({ priceCents: 975 }, 1127)).toBe(975)
})

it.each([1, 50, 99, 987, 1127, 5555, 12_345, 99_999, 1_234_567])(
  'finds the lowest bid that beats Kaibao’s offer at a value of %i',
  (value) => {
    const house = sellBackPrice(value)
    const bid = bidBeatingKaibao(house, 200)!
    expect(isValidBid(bid)).toBe(true)
    expect(afterFee(bid, 200)).toBeGreaterThan(house)
    for (let lower = Math.max(50, bid - 500); lower < bid; lower += 1) {
      if (isValidBid(lower)) expect(afterFee(lower, 200)).toBeLessThanOrEqual(house)
    }
  },
)

describe('matchAsks', () => {
  const asks = [
    { priceCents: 900, count: 2 },
    { priceCents: 1000, count: 1 },
    { priceCents: 1100, count: 5 },
  ]

  it('fills the cheapest asks within price and quantity', () => {
    expect(matchAsks(asks, 1000, 5)).toEqual({ count: 3, cents: 2800 })
    expect(matchAsks(asks, 1100, 4)).toEqual({ count: 4, cents: 3900 })
    expect(matchAsks(asks, 899, 1)).toEqual({ count: 0, cents: 0 })
  })

  it('skips own listings', () => {
    expect(matchAsks(withoutOwn(asks, [900, 900, 1000]), 1000, 5)).toEqual({ count: 0, cents: 0 })
  })
})

describe('outbidPrice', () => {
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

  it('is one step above the best competing bid', () => {
    expect(outbidPrice(bid({ priceCents: 900, outbidCents: 1000 }))).toEqual({ priceCents: 1025 })
    expect(outbidPrice(bid({ priceCents: 900 }))).toBeUndefined()
  })

  it('raises the cap or the percentage as little as possible', () => {
    expect(outbidPrice(bid({ pegPercent: 100, capCents: 1000, outbidCents: 1050, valueCents }))).toEqual({
      pegPercent: 100,
      capCents: 1075,
    })
    expect(outbidPrice(bid({ pegPercent: 90, capCents: 2000, outbidCents: 1050, valueCents }))).toEqual({
      pegPercent: 94,
      capCents: 2000,
    })
  })

  it('is undefined above the highest percentage', () => {
    expect(outbidPrice(bid({ pegPercent: 90, capCents: 2000, outbidCents: 1500, valueCents }))).toBeUndefined()
  })

  it('compares bids by criteria by their caps', () => {
    const scope = { rarity: 'Epic' } as const
    expect(outbidPrice(bid({ scope, pegPercent: 90, capCents: 2000, outbidCents: 3000 }))).toEqual({
      pegPercent: 90,
      capCents: 3025,
    })
  })
})

it.each([
  [1, 50],
  [54, 50],
  [59, 55],
  [1001, 1000],
  [1049, 1025],
  [10_099, 10_000],
  [100_499, 100_000],
  [200_000_000, 100_000_000],
])('rounds %i cents down to %i', (cents, bid) => {
  expect(roundDownToBid(cents)).toBe(bid)
  expect(isValidBid(bid)).toBe(true)
})
