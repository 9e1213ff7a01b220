import { expect, it } from 'vitest'
import { topUpSearch } from './topup-search'

it.each([
  [
    { amount: 25, pack: 2 },
    { amount: 25, pack: '2' },
  ],
  [
    { amount: '25', pack: 'demo-pack-1' },
    { amount: 25, pack: 'demo-pack-1' },
  ],
  [{ amount: 10_000 }, { amount: 10_000 }],
  [{ amount: 0 }, {}],
  [{ amount: 10_001 }, {}],
  [{ amount: 2.5 }, {}],
  [{ amount: 'x', pack: '' }, { pack: '' }],
  [{ pack: 'x'.repeat(65) }, {}],
  [{ pack: {} }, {}],
])('%j is %j', (raw, want) => {
  const found = topUpSearch(raw)
  expect(found).toEqual({ amount: undefined, pack: undefined, ...want })
})
