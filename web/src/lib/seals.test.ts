import { expect, it } from 'vitest'
import { rememberSeal, sealSeen } from './seals'

it('remembers the seal of each open', () => {
  rememberSeal('a', '11')
  rememberSeal('b', '22')
  expect(sealSeen('a')).toBe('11')
  expect(sealSeen('b')).toBe('22')
  expect(sealSeen('c')).toBeUndefined()
})

it('forgets the oldest before it fills the storage', () => {
  for (let at = 0; at <= 300; at++) rememberSeal(`open-${at}`, String(at))
  expect(sealSeen('open-0')).toBeUndefined()
  expect(sealSeen('open-1')).toBe('1')
  expect(sealSeen('open-300')).toBe('300')
})

it('starts anew when what is stored is not its own', () => {
  localStorage.setItem('seals', '{')
  expect(sealSeen('a')).toBeUndefined()
  rememberSeal('a', '11')
  expect(sealSeen('a')).toBe('11')
})
