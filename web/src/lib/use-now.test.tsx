import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { setClockOffset } from './server-clock'
import { useNow } from './use-now'

it('follows the server’s clock, not the visitor’s', () => {
  const hour = 3_600_000
  const { result } = renderHook(() => useNow())
  const before = result.current
  act(() => setClockOffset(-2 * hour))
  expect(before - result.current).toBe(2 * hour)
  act(() => setClockOffset(0))
})
