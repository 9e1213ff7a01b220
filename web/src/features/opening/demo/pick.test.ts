import { describe, expect, it } from 'vitest'
import { pickDemoCard } from './pick'

const card = (id: string) => ({ id, valueCents: 1, stock: -1n })
const tier = (weight: bigint, ...ids: string[]) => ({
  weight,
  lowCents: 0,
  highCents: 0,
  label: 'tier',
  cards: ids.map(card),
})
const manifest = { tiers: [tier(99n, 'a', 'b'), tier(1n, 'c')] }

describe('the demo pick', () => {
  it('picks every card with equal chance, regardless of tier weight', () => {
    const picks = [0, 1, 2, 3, 4, 5].map((number) => pickDemoCard(manifest, () => number))
    expect(picks).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  })

  it('counts a card in two tiers once', () => {
    const twice = { tiers: [tier(1n, 'a', 'b'), tier(1n, 'b')] }
    expect([0, 1, 2].map((number) => pickDemoCard(twice, () => number))).toEqual(['a', 'b', 'a'])
  })

  it('skips cards that can’t be pulled', () => {
    const lastResort = { tiers: [tier(0n, 'x'), tier(1n, 'a'), tier(0n, 'y'), tier(1n, 'b')] }
    expect([0, 1, 2].map((number) => pickDemoCard(lastResort, () => number))).toEqual(['a', 'b', 'a'])
  })

  it('falls back to all cards if the lowest tier is empty', () => {
    const gap = { tiers: [tier(0n, 'x'), tier(1n), tier(1n, 'a')] }
    expect([0, 1].map((number) => pickDemoCard(gap, () => number))).toEqual(['x', 'a'])
  })

  it('discards random numbers that would favor a card', () => {
    // 2 ** 32 is one more than a multiple of 3.
    const numbers = [2 ** 32 - 1, 1]
    expect(pickDemoCard(manifest, () => numbers.shift()!)).toBe('b')
  })

  it('uses its own randomness', () => {
    expect(['a', 'b', 'c']).toContain(pickDemoCard(manifest))
  })
})
