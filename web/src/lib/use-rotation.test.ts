import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { rotate, useRotation } from './use-rotation'

const named = (ids: string) => [...ids].map((id) => ({ id }))
const after = (places: string, latest: string, count = 3) =>
  rotate(named(places), named(latest), count)
    .map(({ id }) => id)
    .join('')

it.each([
  ['the newest replaces the oldest', 'cba', 'dcba', 'cbd'],
  ['the newest replaces the oldest in any place', 'cad', 'edcab', 'ced'],
  ['an entry missing from the latest counts as the oldest', 'xcb', 'dcb', 'dcb'],
  ['nothing changes without new entries', 'bca', 'cba', 'bca'],
  ['older entries do not come back', 'dcb', 'dcba', 'dcb'],
  ['free places are filled first', 'a', 'cba', 'ac'],
])('%s', (_, places, latest, expected) => {
  expect(after(places, latest)).toBe(expected)
})

it('new data is shown in place, also while the rotation stands still', () => {
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
