import { describe, expect, it } from 'vitest'
import {
  dollars,
  fixed,
  list,
  number,
  percent,
  points,
  priceTag,
  shortAddress,
  shortDollars,
  shortPoints,
  smallChance,
} from './format'

describe('money', () => {
  it('shows points with two decimals, or whole ones rounded down', () => {
    expect(points(1_234_567)).toBe('12,345.67')
    expect(points(2_599, 0)).toBe('25')
    expect([2_500, 1_890].map(shortPoints)).toEqual(['25', '18.90'])
    expect([2_500, 1_890].map(shortDollars)).toEqual(['$25', '$18.90'])
  })

  it('shows dollars, below zero too', () => {
    expect(dollars(12_345)).toBe('$123.45')
    expect(dollars(-500)).toBe('−$5.00')
  })

  it('puts whole points on a price tag, rounded down, and the cents beside them', () => {
    expect(priceTag(2500)).toEqual({ points: 25, cents: '' })
    expect(priceTag(9999)).toEqual({ points: 99, cents: '.99' })
    expect(priceTag(2505)).toEqual({ points: 25, cents: '.05' })
  })
})

describe('numbers', () => {
  it('are grouped, with at most or exactly so many decimals', () => {
    expect([number(1234), number(0.5), number(1234.56, 1), number(2, 1)]).toEqual(['1,234', '1', '1,234.6', '2'])
    expect([fixed(1234.5, 2), fixed(0, 2)]).toEqual(['1,234.50', '0.00'])
  })

  it('are formatted like the browser does', () => {
    for (const value of [0, 7, 99.5, 999, 1000, 12_345.678, 999_999.99, 1e6, 1e15, -0.25, -4321.5]) {
      for (const digits of [0, 1, 2, 3]) {
        const style = { maximumFractionDigits: digits }
        expect(number(value, digits)).toBe(value.toLocaleString('en-US', style))
        expect(fixed(value, digits)).toBe(value.toLocaleString('en-US', { ...style, minimumFractionDigits: digits }))
      }
    }
  })

  it('are written with powers of ten when small', () => {
    expect([0.0214, 0.001, 0.000_031].map(smallChance)).toEqual(['0.021', '0.001', '3.1e-5'])
  })
})

describe('other formats', () => {
  it('shows chances with as many decimals as they need', () => {
    expect([0.298, 0.29534, 0.03, 0.0005].map((chance) => percent(chance))).toEqual(['29.8%', '29.53%', '3%', '0.05%'])
  })

  it.each([
    [0, '0%'],
    [1, '100%'],
    [0.00004, '0.004%'],
    [0.000001, '0.0001%'],
    [0.000049, '0.005%'],
    [1 / 2 ** 32, '0.00000002%'],
    [0.99996, '99.996%'],
    [0.999999, '99.9999%'],
    [0.99994, '99.99%'],
  ])('shows the chance %d as %s: only 0 is 0%%, and only 1 is 100%%', (chance, text) => {
    expect(percent(chance)).toBe(text)
  })

  it('never rounds a chance to 0% or 100%, regardless of decimals', () => {
    for (let exponent = 1; exponent <= 15; exponent++)
      for (const digits of [0, 1, 2, 4]) {
        const small = 10 ** -exponent
        expect([percent(small, digits), percent(1 - small, digits)]).not.toContain('0%')
        expect([percent(small, digits), percent(1 - small, digits)]).not.toContain('100%')
      }
  })

  it('separates the parts of a list as its language does', () => {
    expect(list(['PSA', 'CGC'], 'en')).toBe('PSA, CGC')
    expect(list(['PSA', 'CGC'], 'zh')).toBe('PSA、CGC')
    expect(list(['PSA'], 'zh')).toBe('PSA')
  })

  it('shortens addresses, except short ones', () => {
    const address = '7YkQv3nRkW5oLrWc1fYb9pXzJmT2sDhGeUaVtBqNxKpL'
    expect(shortAddress(address, 6, 4)).toBe('7YkQv3...xKpL')
    expect(shortAddress(address, 4, 4)).toBe('7YkQ...xKpL')
    expect(shortAddress('abcd', 4, 4)).toBe('abcd')
  })
})
