import { focusManager, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SessionContext } from '@/lib/session'
import { signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { createQueryClient } from './query-client'
import { useWallet } from './wallet'

it('refetches the balance periodically and when the page is shown again', async () => {
  vi.useFakeTimers()
  const hasBalance = (balanceCents: number) => ({ body: { displayBalance: 0, balanceCents, heldCents: 0 } })
  const answers: Parameters<typeof stubApi>[0] = { 'GET /api/wallet': hasBalance(1) }
  stubApi(answers)
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionContext value={signedIn}>{children}</SessionContext>
    </QueryClientProvider>
  )
  const { result } = renderHook(() => useWallet().data?.balanceCents, { wrapper })
  const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  onTestFinished(() => {
    focusManager.setFocused(undefined)
    vi.useRealTimers()
  })
  await advanceTime(0)
  answers['GET /api/wallet'] = hasBalance(2)
  await advanceTime(61_000)
  expect(result.current).toBe(2)
  focusManager.setFocused(false)
  answers['GET /api/wallet'] = hasBalance(3)
  await advanceTime(120_000)
  expect(result.current).toBe(2)
  focusManager.setFocused(true)
  await advanceTime(0)
  expect(result.current).toBe(3)
})
