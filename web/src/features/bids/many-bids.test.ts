import { describe, expect, it } from 'vitest'
import { type BidItem, bidsOf, defaultPrice, typedPrice, wrongPrices } from './many-bids'

const item = (id: string, baseValueCents = 1000): BidItem => ({ id, name: id, imageUrl: '', baseValueCents })
const typed = (prices: Record<string, string>, confirmed: Record<string, number> = {}) => ({
  prices: new Map(Object.entries(prices)),
  confirmed: new Map(Object.entries(confirmed)),
})

it.each([
  [1000, '9.00'],
  [1234, '11.00'],
  [10, '0.50'],
  [123_456, '1110.00'],
])('offers 90%% of a value of %i cents, rounded down to a valid bid', (value, price) =>
  expect(defaultPrice(item('a', value))).toBe(price),
)

describe('the bids', () => {
  const items = [item('a'), item('b'), item('c')]

  it('have the default price unless another one is typed, and skip empty prices', () => {
    expect(typedPrice(items[0]!, new Map([['a', '']]))).toBe('')
    expect(bidsOf(items, typed({ a: '', b: '5' }))).toEqual([
      { scope: { itemId: 'b' }, priceCents: 500 },
      { scope: { itemId: 'c' }, priceCents: 900 },
    ])
  })

  it('skip invalid prices, which are reported', () => {
    const { prices } = typed({ a: 'x', b: '0.52', c: '' })
    expect(wrongPrices(items, prices)).toEqual(new Set(['a', 'b']))
    expect(bidsOf(items, typed({ a: 'x', b: '0.52', c: '' }))).toEqual([])
  })

  it('repeat a confirmed price, but not for another price', () => {
    expect(bidsOf([items[0]!], typed({ a: '90' }, { a: 9000 }))).toEqual([
      { scope: { itemId: 'a' }, priceCents: 9000, confirmedCents: 9000 },
    ])
    expect(bidsOf([items[0]!], typed({ a: '95' }, { a: 9000 }))).toEqual([{ scope: { itemId: 'a' }, priceCents: 9500 }])
  })
})
