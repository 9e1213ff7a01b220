import { describe, expect, it } from 'vitest'
import type { AdminItem } from '@/contract/types'
import { pokemonDetail } from '@test/data'
import { initialItem, itemChanges, itemSchema } from './item-form'

const item: AdminItem = {
  ...pokemonDetail.showcase[0]!,
  ownImageUrl: '',
  isActive: true,
  set: '1999 Pokemon Base Set',
  setNumber: '4',
}
const changesTo = (texts: Partial<ReturnType<typeof initialItem>>, of = item) =>
  itemChanges(of, itemSchema.parse({ ...initialItem(of), ...texts }) as Parameters<typeof itemChanges>[1])

describe('the set of an item', () => {
  it('is sent only if it changed', () => {
    expect(changesTo({})).toEqual({})
    expect(changesTo({ setNumber: '5' })).toEqual({ setNumber: '5' })
  })
  it('can be removed with its number, and added', () => {
    expect(changesTo({ set: '', setNumber: '' })).toEqual({ set: '', setNumber: '' })
    const { set: _set, setNumber: _number, ...without } = item
    expect(changesTo({ set: 'Jungle' }, without)).toEqual({ set: 'Jungle' })
  })
})
