import { expect, test } from 'vitest'
import { fold } from './fold'

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
  expect(fold(name)).toBe(fold(typed))
  expect(fold(fold(name))).toBe(fold(name))
})

test('voiced kana stay apart', () => {
  expect(fold('カ')).not.toBe(fold('ガ'))
})
