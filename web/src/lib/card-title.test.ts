import { expect, it } from 'vitest'
import { cardTitle } from './card-title'

it.each([
  ['1999 Pokemon Base Set #4 Charizard Holo PSA 9 MINT', 'Charizard Holo', 'PSA 9 MINT', '1999 Pokemon Base Set #4'],
  ['2023 Pokemon 151 #25 Pikachu Reverse Holo CGC 9.5', 'Pikachu Reverse Holo', 'CGC 9.5', '2023 Pokemon 151 #25'],
  ['1956 Topps #135 Mickey Mantle PSA 2.5 GOOD+', 'Mickey Mantle', 'PSA 2.5 GOOD+', '1956 Topps #135'],
  [
    '2022 One Piece Romance Dawn #OP01-120 Shanks Manga Art PSA 10 GEM MINT',
    'Shanks Manga Art',
    'PSA 10 GEM MINT',
    '2022 One Piece Romance Dawn #OP01-120',
  ],
])('%s leads with the player or character', (name, subject, grade, set) => {
  expect(cardTitle(name)).toEqual({ subject, grade, set })
})

it.each(['Labubu Have a Seat Haha', '1999 Charizard', 'PSA 9 MINT', ''])('the name “%s” stays whole', (name) => {
  expect(cardTitle(name)).toEqual({ subject: name })
})

it('loses nothing that distinguishes two cards', () => {
  const name = '2018 Panini Prizm #280 Luka Doncic Silver Prizm PSA 10 GEM MINT'
  const { set, subject, grade } = cardTitle(name)
  expect([set, subject, grade].join(' ')).toBe(name)
})
