import { describe, expect, it } from 'vitest'
import { balanceSearch } from './balance-search'
import { lineFilterOf } from './balance-filter'

describe('the search parameters of the balance page', () => {
  it.each([
    [
      { kind: 'sell-back', from: '2026-11-01', to: '2026-11-30' },
      { kind: 'sell-back', from: '2026-11-01', to: '2026-11-30' },
    ],
    [{ kind: 'bid-return' }, { kind: 'bid-return' }],
    [{ kind: 'gift', from: 'yesterday', to: '2026-02-30' }, {}],
    [{ kind: 7, from: 20_261_122, to: '2026-13-01' }, {}],
    [{}, {}],
  ])('%o is parsed as %o', (raw, wanted) => {
    expect(balanceSearch(raw)).toEqual({ kind: undefined, from: undefined, to: undefined, ...wanted })
  })

  it('days start and end in the visitor’s time zone', () => {
    const local = (month: number, day: number) => new Date(2026, month - 1, day).toISOString()
    expect(lineFilterOf({ kind: 'open', from: '2026-11-22', to: '2026-11-30' })).toEqual({
      kind: 'open',
      from: local(11, 22),
      to: local(12, 1),
    })
    expect(lineFilterOf({})).toEqual({})
  })
})
