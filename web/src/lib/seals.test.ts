import { expect, it } from 'vitest'
import { saveSeal, savedSeal } from './seals'

it('remembers the commitment of each open', () => {
  saveSeal('a', '11')
  saveSeal('b', '22')
  expect(savedSeal('a')).toBe('11')
  expect(savedSeal('b')).toBe('22')
  expect(savedSeal('c')).toBeUndefined()
})

it('forgets the oldest before it fills the storage', () => {
  for (let at = 0; at <= 300; at++) saveSeal(`open-${at}`, String(at))
  expect(savedSeal('open-0')).toBeUndefined()
  expect(savedSeal('open-1')).toBe('1')
  expect(savedSeal('open-300')).toBe('300')
})

it('starts over when the stored data is invalid', () => {
  localStorage.setItem('seals', '{')
  expect(savedSeal('a')).toBeUndefined()
  saveSeal('a', '11')
  expect(savedSeal('a')).toBe('11')
})
