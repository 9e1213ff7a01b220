import { expect, it } from 'vitest'
import { differencesOf } from './differences'

it('writes what differs, field by field, and amounts as money', () => {
  expect(
    differencesOf({ before: { balanceCents: 0, role: 'user' }, after: { balanceCents: 500, role: 'admin' } }),
  ).toEqual([
    { field: 'balanceCents', before: '$0.00', after: '$5.00' },
    { field: 'role', before: 'user', after: 'admin' },
  ])
})

it('shows what was not there before', () => {
  expect(differencesOf({ before: null, after: { name: 'A', grade: null, series: ['B'] } })).toEqual([
    { field: 'name', before: undefined, after: 'A' },
    { field: 'grade', before: undefined, after: undefined },
    { field: 'series', before: undefined, after: '["B"]' },
  ])
})

it('says once what is there in cents and in words', () => {
  expect(differencesOf({ before: null, after: { priceCents: 2500, price: '$25.00' } })).toEqual([
    { field: 'priceCents', before: undefined, after: '$25.00' },
  ])
})

it('shows as a whole what has no fields', () => {
  expect(differencesOf({ before: 'a', after: ['b'] })).toEqual([{ field: undefined, before: 'a', after: '["b"]' }])
  expect(differencesOf({ before: null, after: null })).toEqual([])
})
