import { afterEach, describe, expect, it } from 'vitest'
import { pokemon } from '@test/data'
import { config } from '@/lib/config'
import { buyState } from './buy-state'

const visitor = { status: 'signed-in', walletMismatch: false } as const

describe('buyState', () => {
  afterEach(() => void (config.rules.highestPackCents = 0))

  it.each([
    ['ready with just enough', pokemon, visitor, 2500, { kind: 'ready' }],
    [
      'insufficient-balance with a cent less',
      pokemon,
      visitor,
      2499,
      { kind: 'insufficient-balance', missingCents: 1 },
    ],
    ['loading before the balance is known', pokemon, visitor, undefined, { kind: 'loading' }],
    ['unknown-balance when the balance fails to load', pokemon, visitor, 'failed', { kind: 'unknown-balance' }],
    ['the wallet has another account', pokemon, { ...visitor, walletMismatch: true }, 2500, { kind: 'walletMismatch' }],
    ['connect when signed out', pokemon, { ...visitor, status: 'signed-out' }, undefined, { kind: 'connect' }],
    [
      'loading while the wallet is looked for',
      pokemon,
      { ...visitor, status: 'loading' },
      undefined,
      { kind: 'loading' },
    ],
    ['sold out', { ...pokemon, soldOut: true }, visitor, 2500, { kind: 'sold-out' }],
    [
      'sold out for a visitor without a wallet',
      { ...pokemon, soldOut: true },
      { ...visitor, status: 'signed-out' },
      undefined,
      { kind: 'sold-out' },
    ],
    ['inactive', { ...pokemon, isActive: false }, visitor, 2500, { kind: 'inactive' }],
  ] as const)('%s', (_, pack, session, balance, state) => {
    expect(buyState(pack, session, balance, false, false)).toEqual(state)
  })

  it.each([
    [2500, { kind: 'ready' }],
    [2499, { kind: 'over-price-limit', limitCents: 2499 }],
  ])('of a $25 pack with a price limit of %d cents', (limitCents, state) => {
    config.rules.highestPackCents = limitCents
    expect(buyState(pokemon, visitor, 2500, false, false)).toEqual(state)
  })

  it.each([2500, 0])('is on-break during a time-out, with %d cents', (balance) => {
    expect(buyState(pokemon, visitor, balance, false, true)).toEqual({ kind: 'on-break' })
    expect(buyState({ ...pokemon, soldOut: true }, visitor, balance, false, true)).toEqual({ kind: 'sold-out' })
  })

  it('is opening, whatever else holds', () => {
    expect(buyState(pokemon, visitor, 0, true, true)).toEqual({ kind: 'opening' })
  })
})
