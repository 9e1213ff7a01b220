import { expect, it } from 'vitest'
import type { KeptListing } from '@/contract/on-sale'
import { withPurchases } from './kept-purchases'

const listing = (id: string) => ({ id, listingId: `${id} for sale` }) as KeptListing
const list = (ids: string) => [...ids].map(listing)
const idsOf = (rows: readonly KeptListing[]) => rows.map(({ id }) => id).join('')
const bought = (id: string, before: string) => ({ listing: listing(id), before: [...before] })

it.each([
  ['in the middle', 'acd', [bought('b', 'a')], 'abcd'],
  ['first', 'bc', [bought('a', '')], 'abc'],
  ['last', 'ab', [bought('c', 'ab')], 'abc'],
  ['the only one', '', [bought('a', '')], 'a'],
  ['next to each other', 'ad', [bought('b', 'a'), bought('c', 'ab')], 'abcd'],
  ['after another that is gone, too', 'cd', [bought('b', 'a')], 'bcd'],
  ['still listed', 'abc', [bought('b', 'a')], 'abc'],
] as const)('keeps a bought listing in its place: %s', (_, left, purchases, want) => {
  expect(idsOf(withPurchases(list(left), purchases))).toBe(want)
})
