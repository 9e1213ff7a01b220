import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { keys } from '@/api/keys'
import { createQueryClient } from '@/api/query-client'
import { points } from '@/lib/format'
import { SessionContext } from '@/lib/session'
import { signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import RealityCheck from './reality-check'
import { limitsTexts } from './texts'
import { limits } from './texts/en'

const { reality: t } = limits
const minute = 60_000
const start = Date.parse('2026-01-02T12:00:00Z')

/** Shows the reality check with an interval in minutes, once it has loaded. */
async function show(realityMinutes: number | null) {
  const seen = stubApi({
    'GET /api/limits': { body: { limits: [], realityMinutes } },
    'GET /api/limits/figures': {
      body: { opens: 3, spentCents: 7500, backCents: 2250, netCents: -5250, minutes: 31 },
    },
  })
  const queryClient = createQueryClient()
  const router = createRouter({
    routeTree: createRootRoute({ component: RealityCheck }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <SessionContext value={signedIn}>
        <RouterProvider router={router as never} />
      </SessionContext>
    </QueryClientProvider>,
  )
  await waitFor(() => expect(queryClient.getQueryData(keys.limits)).toBeDefined())
  return () =>
    seen.filter(({ url }) => url.includes('/figures')).map(({ url }) => new URL(url).searchParams.get('since'))
}

const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const dialog = () => screen.queryByRole('dialog')

beforeAll(async () => {
  // Preloaded, because fake timers don't advance imports.
  await Promise.all([import('@/components/ui/dialog-parts'), limitsTexts.load()])
})

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: start })
  return () => vi.useRealTimers()
})

describe('the reality check', () => {
  it('reports time and result after the chosen interval, and again after each further interval', async () => {
    sessionStorage.setItem('kaibao-here-since', String(start))
    const asked = await show(30)
    await advanceTime(29 * minute)
    expect(dialog()).not.toBeInTheDocument()
    await advanceTime(minute)
    expect(dialog()).toHaveAccessibleName(t.title(30))
    await waitFor(() => expect(dialog()).toHaveAccessibleDescription(t.net(points(-5250))))
    expect(asked()).toEqual([new Date(start).toISOString()])
    expect(screen.getByRole('link', { name: t.toLimits })).toHaveAttribute('href', '/limits')
    fireEvent.click(screen.getByRole('button', { name: t.goOn }))
    expect(dialog()).not.toBeInTheDocument()
    await advanceTime(30 * minute)
    expect(dialog()).toHaveAccessibleName(t.title(60))
    await waitFor(() => expect(asked()).toHaveLength(2))
  })

  it('continues counting after a reload', async () => {
    sessionStorage.setItem('kaibao-here-since', String(start - 20 * minute))
    await show(30)
    await advanceTime(9 * minute)
    expect(dialog()).not.toBeInTheDocument()
    await advanceTime(minute)
    expect(dialog()).toHaveAccessibleName(t.title(30))
  })

  it('doesn’t appear when turned off', async () => {
    await show(null)
    await advanceTime(24 * 60 * minute)
    expect(dialog()).not.toBeInTheDocument()
  })
})
