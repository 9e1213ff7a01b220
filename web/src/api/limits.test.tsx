import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SessionContext } from '@/lib/session'
import { signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { usePlayResults, useLimits, useReminderMinutes, useSetLimits } from './limits'
import { createQueryClient } from './query-client'

it('refetches the usage when the limits are shown, and only then', async () => {
  const seen = stubApi({ 'GET /api/limits/figures': { body: {} } })
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionContext value={signedIn}>{children}</SessionContext>
    </QueryClientProvider>
  )
  const settled = () => waitFor(() => expect(client.isFetching()).toBe(0))
  const show = async (use: () => unknown) => {
    const { unmount } = renderHook(use, { wrapper })
    await settled()
    return unmount
  }
  const asked = (path: string) => seen.filter(({ url }) => new URL(url).pathname === path).length
  await show(() => useReminderMinutes())
  await show(() => useReminderMinutes())
  expect(asked('/api/limits')).toBe(1)
  for (const times of [1, 2]) {
    const leave = await show(() => [useLimits(), usePlayResults()])
    expect(asked('/api/limits')).toBe(1 + times)
    expect(asked('/api/limits/figures')).toBe(times)
    leave()
  }
})

it('fails at once when offline, and doesn’t set the limit later', async () => {
  const seen = stubApi({ 'PUT /api/limits': () => Promise.reject(new TypeError('Failed to fetch')) })
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const handlers = { onSuccess: vi.fn<() => void>(), onError: vi.fn<(error: Error) => void>() }
  const { result } = renderHook(() => useSetLimits(handlers), { wrapper })
  act(() => result.current.mutate({ realityMinutes: 30 }))
  await waitFor(() => expect(handlers.onError).toHaveBeenCalled())
  onlineManager.setOnline(true)
  await client.resumePausedMutations()
  expect(seen).toHaveLength(1)
  expect(handlers.onSuccess).not.toHaveBeenCalled()
})
