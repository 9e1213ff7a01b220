import { describe, expect, it } from 'vitest'
import { initialPack, packChanges, type PackFields, packSchema, suggestedSealing, tiersOf } from './pack-form'

describe('the suggested way of drawing', () => {
  it.each([
    ['a limited supply', { priceCents: '50', supply: '100' }, undefined, 'sealed'],
    ['limited cards', { priceCents: '50', supply: '-1' }, { isLimited: true, bestCardCents: 1 }, 'sealed'],
    [
      'a best card of 20 times the price',
      { priceCents: '50', supply: '-1' },
      { isLimited: false, bestCardCents: 100_000 },
      'sealed',
    ],
    ['a best card of less', { priceCents: '50', supply: '-1' }, { isLimited: false, bestCardCents: 99_999 }, 'instant'],
    ['no price yet', { priceCents: '', supply: '-1' }, { isLimited: false, bestCardCents: 99_999 }, 'instant'],
    ['no preview yet', { priceCents: '50', supply: '-1' }, undefined, 'instant'],
  ])('with %s', (_, fields, figures, sealing) => {
    expect(suggestedSealing(fields, figures)).toBe(sealing)
  })
})

it('sends how a pack is drawn only if the admin chose it', () => {
  const read = (change: Partial<PackFields>) =>
    packSchema(tiersOf(undefined)).parse({ ...initialPack(undefined), name: 'Dusk', priceCents: '25', ...change })
  expect(read({})).not.toHaveProperty('sealing')
  expect(read({ sealing: 'choice' })).toMatchObject({ sealing: 'choice' })
  expect(packChanges(read({ sealing: 'instant' }), read({ sealing: 'sealed' }))).toEqual({ sealing: 'sealed' })
  expect(packChanges(read({ sealing: 'sealed' }), read({ sealing: 'sealed' }))).toEqual({})
})
