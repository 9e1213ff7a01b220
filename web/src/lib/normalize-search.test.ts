import { expect, test } from 'vitest'
import { normalizeSearch } from './normalize-search'

test.each([
  ['Flabébé', 'flabebe'],
  ['Pokémon', 'POKEMON'],
  ['Farfetch’d', "farfetch'd"],
  ['Ho-Oh', 'hooh'],
  ['ピカチュウ', 'ぴかちゅう'],
  ['ﾋﾟｶ', 'ぴか'],
  ['Straße', 'STRASSE'],
  ['İstanbul', 'ıstanbul'],
  ['ＰＳＡ', 'psa'],
])('%s is found by %s', (name, typed) => {
  expect(normalizeSearch(name)).toBe(normalizeSearch(typed))
  expect(normalizeSearch(normalizeSearch(name))).toBe(normalizeSearch(name))
})

test('voiced kana stay distinct', () => {
  expect(normalizeSearch('カ')).not.toBe(normalizeSearch('ガ'))
})
