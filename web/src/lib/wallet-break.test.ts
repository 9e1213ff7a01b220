import { expect, test, vi } from 'vitest'
import { setClockOffset } from './server-clock'
import { rememberBreak, walletOnBreak } from './wallet-break'

test('a break ends by the server’s clock', () => {
  vi.useFakeTimers({ now: new Date('2026-01-02T12:00:00.000Z') })
  rememberBreak('ann', { until: '2026-01-02T13:00:00.000Z' })
  expect(walletOnBreak()).toBe('ann')
  // A device whose clock is ahead doesn't end it.
  vi.setSystemTime(new Date('2026-01-02T14:00:00.000Z'))
  setClockOffset(-2 * 3_600_000)
  expect(walletOnBreak()).toBe('ann')
  setClockOffset(0)
  expect(walletOnBreak()).toBeUndefined()
  vi.useRealTimers()
})
