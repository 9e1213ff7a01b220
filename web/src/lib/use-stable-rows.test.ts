import { describe, expect, it } from 'vitest'
import { keepOrder } from './use-stable-rows'

const rows = (ids: string, price = 1) => [...ids].map((id) => ({ id, price }))
const idOf = ({ id }: { id: string }) => id

describe('hovered rows', () => {
  it.each([
    ['abc', 'ac', 'abc'],
    ['abc', 'xabc', 'abcx'],
    ['abc', 'cba', 'abc'],
    ['abc', '', 'abc'],
    ['abc', 'xyz', 'xyz'],
    ['', 'abc', 'abc'],
  ])('keep their places from %s as the list becomes %s', (shown, latest, expected) => {
    expect(keepOrder(rows(shown), rows(latest), idOf).map(idOf).join('')).toBe(expected)
  })

  it('show new data', () => {
    expect(keepOrder(rows('ab'), rows('b', 2), idOf)).toEqual([
      { id: 'a', price: 1 },
      { id: 'b', price: 2 },
    ])
  })
})
