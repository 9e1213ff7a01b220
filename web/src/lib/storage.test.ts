import { afterEach, expect, it, vi } from 'vitest'
import { localStore, sessionStore } from './storage'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const throwing = (name: string) => {
  throw new DOMException('The operation is insecure.', name)
}

it('keeps values in the browser', () => {
  localStore.setItem('a', '1')
  sessionStore.setItem('b', '2')
  expect([localStorage.getItem('a'), sessionStorage.getItem('b')]).toEqual(['1', '2'])
  expect([localStore.getItem('a'), localStore.getItem('b'), localStore.keys()]).toEqual(['1', null, ['a']])
  localStore.removeItem('a')
  expect([localStorage.getItem('a'), localStore.getItem('a')]).toEqual([null, null])
})

it.each([
  ['without localStorage', () => vi.stubGlobal('localStorage', undefined)],
  [
    'that refuses every call',
    () => {
      for (const call of ['getItem', 'setItem', 'removeItem'] as const)
        vi.spyOn(Storage.prototype, call).mockImplementation(() => throwing('SecurityError'))
    },
  ],
])('keeps values in memory in a browser %s', (_, refuse) => {
  refuse()
  expect(localStore.getItem('c')).toBeNull()
  localStore.setItem('c', '3')
  localStore.setItem('d', '4')
  expect([localStore.getItem('c'), localStore.getItem('d')]).toEqual(['3', '4'])
  expect(localStore.keys()).toEqual(expect.arrayContaining(['c', 'd']))
  for (const key of ['c', 'd']) localStore.removeItem(key)
  expect([localStore.getItem('c'), localStore.keys()]).toEqual([null, []])
})

it('returns the newest value when the storage is full', () => {
  localStore.setItem('e', 'old')
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => throwing('QuotaExceededError'))
  localStore.setItem('e', 'new')
  expect(localStore.getItem('e')).toBe('new')
  full.mockRestore()
  localStore.setItem('e', 'newest')
  expect([localStorage.getItem('e'), localStore.getItem('e')]).toEqual(['newest', 'newest'])
})
