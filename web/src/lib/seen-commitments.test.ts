import { expect, it } from 'vitest'
import { saveSeenCommitment, seenCommitment } from './seen-commitments'

it('remembers the commitment of each open', () => {
  saveSeenCommitment('a', '11')
  saveSeenCommitment('b', '22')
  expect(seenCommitment('a')).toBe('11')
  expect(seenCommitment('b')).toBe('22')
  expect(seenCommitment('c')).toBeUndefined()
})

it('forgets the oldest before it fills the storage', () => {
  for (let at = 0; at <= 300; at++) saveSeenCommitment(`open-${at}`, String(at))
  expect(seenCommitment('open-0')).toBeUndefined()
  expect(seenCommitment('open-1')).toBe('1')
  expect(seenCommitment('open-300')).toBe('300')
})

it('starts over when the stored data is invalid', () => {
  localStorage.setItem('seals', '{')
  expect(seenCommitment('a')).toBeUndefined()
  saveSeenCommitment('a', '11')
  expect(seenCommitment('a')).toBe('11')
})
