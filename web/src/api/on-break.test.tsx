import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { keys } from './keys'
import { createQueryClient } from './query-client'
import { useOnBreak } from './limits'

const [before, later] = ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']

it.each([
  ['limits not loaded', undefined, false],
  ['no break', {}, false],
  ['during a time-out', { timedOut: { until: later } }, true],
  ['after a time-out, without a refetch', { timedOut: { until: before } }, false],
  ['during an exclusion', { excluded: { until: later }, timedOut: { until: before } }, true],
  ['during a permanent exclusion', { excluded: { until: null } }, true],
])('tells whether the user is on a break: %s', (_, known, stopped) => {
  const client = createQueryClient()
  if (known) client.setQueryData(keys.limits, { limits: [], realityMinutes: null, ...known })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  expect(renderHook(useOnBreak, { wrapper }).result.current).toBe(stopped)
})
