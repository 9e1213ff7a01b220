import { expect, it } from 'vitest'
import { differencesOf } from './differences'

it('lists differences field by field', () => {
  expect(differencesOf({ before: { balanceCents: 0, role: 'user' }, after: { balanceCents: 500, name: 'A' } })).toEqual(
    [
      { field: 'balanceCents', before: 0, after: 500 },
      { field: 'role', before: 'user', after: undefined },
      { field: 'name', before: undefined, after: 'A' },
    ],
  )
})

it('shows values that exist in cents and as text only once', () => {
  expect(differencesOf({ before: null, after: { priceCents: 2500, price: '$25.00' } })).toEqual([
    { field: 'priceCents', before: undefined, after: 2500 },
  ])
})

it('shows values without fields as a whole', () => {
  expect(differencesOf({ before: 'a', after: ['b'] })).toEqual([{ field: undefined, before: 'a', after: ['b'] }])
  expect(differencesOf({ before: null, after: null })).toEqual([])
})
