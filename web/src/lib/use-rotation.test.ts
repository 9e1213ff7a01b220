import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { rotate, useRotation } from './use-rotation'

const named = (ids: string) => [...ids].map((id) => ({ id }))
const after = (places: string, latest: string, count = 3) =>
  rotate(named(places), named(latest), count)
    .map(({ id }) => id)
    .join('')

it.each([
  ['the newest takes the place of the oldest', 'cba', 'dcba', 'cbd'],
  ['wherever that is', 'cad', 'edcab', 'ced'],
  ['what is not among the latest is the oldest', 'xcb', 'dcb', 'dcb'],
  ['nothing changes without news', 'bca', 'cba', 'bca'],
  ['nothing older comes back', 'dcb', 'dcba', 'dcb'],
  ['free places are filled first', 'a', 'cba', 'ac'],
])('%s', (_, places, latest, expected) => {
  expect(after(places, latest)).toBe(expected)
})

it('what is known anew is said in its place, also while all stand still', () => {
  const first = [
    { id: 'b', name: 'Ann' },
    { id: 'a', name: 'Ben' },
  ]
  const { result, rerender } = renderHook(({ latest }) => useRotation(latest, 2, true), {
    initialProps: { latest: first },
  })
  rerender({
    latest: [
      { id: 'c', name: 'Cy' },
      { id: 'b', name: 'Anna' },
    ],
  })
  expect(result.current.map(({ name }) => name)).toEqual(['Anna', 'Ben'])
})
