import { expect, it } from 'vitest'
import { differencesOf } from './differences'

it('tells what differs, field by field', () => {
  expect(differencesOf({ before: { balanceCents: 0, role: 'user' }, after: { balanceCents: 500, name: 'A' } })).toEqual(
    [
      { field: 'balanceCents', before: 0, after: 500 },
      { field: 'role', before: 'user', after: undefined },
      { field: 'name', before: undefined, after: 'A' },
    ],
  )
})

it('says once what is there in cents and in words', () => {
  expect(differencesOf({ before: null, after: { priceCents: 2500, price: '$25.00' } })).toEqual([
    { field: 'priceCents', before: undefined, after: 2500 },
  ])
})

it('shows as a whole what has no fields', () => {
  expect(differencesOf({ before: 'a', after: ['b'] })).toEqual([{ field: undefined, before: 'a', after: ['b'] }])
  expect(differencesOf({ before: null, after: null })).toEqual([])
})
