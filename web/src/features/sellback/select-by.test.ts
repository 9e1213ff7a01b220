import { describe, expect, it } from 'vitest'
import { belowValue, duplicatesExceptOne } from './select-by'
import type { Owned } from './sellable'

const owned = (inventoryId: string, id: string, more: Partial<Owned> = {}): Owned => ({
  inventoryId,
  id,
  name: id,
  baseValueCents: 1000,
  sellBackCents: 900,
  state: 'held',
  vaulted: false,
  ...more,
})
const ids = (entries: readonly Owned[]) => entries.map(({ inventoryId }) => inventoryId)

describe('all below a value', () => {
  it('selects sellable cards worth less than the value, excluding the value itself', () => {
    const entries = [
      owned('cheap', 'a', { baseValueCents: 999 }),
      owned('just', 'b'),
      owned('listed', 'c', { baseValueCents: 5, state: 'listed' }),
      owned('worthless', 'd', { baseValueCents: 1, sellBackCents: 0 }),
    ]
    expect(ids(belowValue(entries, 1000))).toEqual(['cheap'])
  })
})

describe('all duplicates but one', () => {
  it('skips single cards, and keeps the duplicate with the lowest offer', () => {
    const entries = [
      owned('dear', 'a', { sellBackCents: 950 }),
      owned('single', 'b'),
      owned('least', 'a'),
      owned('more', 'a', { sellBackCents: 901 }),
    ]
    expect(ids(duplicatesExceptOne(entries))).toEqual(['dear', 'more'])
  })

  it('prefers to keep a vaulted duplicate, and a listed one above all', () => {
    const vaulted = owned('vaulted', 'a', { vaulted: true, sellBackCents: 2000 })
    expect(ids(duplicatesExceptOne([owned('held', 'a'), vaulted, owned('other', 'a')]))).toEqual(['held', 'other'])
    const listed = owned('listed', 'a', { state: 'listed' })
    expect(ids(duplicatesExceptOne([owned('held', 'a'), vaulted, listed]))).toEqual(['held', 'vaulted'])
  })
})
