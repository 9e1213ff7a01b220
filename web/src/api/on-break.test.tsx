import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { keys } from './keys'
import { createQueryClient } from './query-client'
import { useOnBreak } from './limits'

const [before, later] = ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']

it.each([
  ['nothing is known', undefined, false],
  ['nothing was stopped', {}, false],
  ['a time-out lasts', { timedOut: { until: later } }, true],
  ['a time-out is over, though nobody has asked again', { timedOut: { until: before } }, false],
  ['an exclusion lasts', { excluded: { until: later }, timedOut: { until: before } }, true],
  ['an exclusion is for good', { excluded: { until: null } }, true],
])('is told where %s', (_, known, stopped) => {
  const client = createQueryClient()
  if (known) client.setQueryData(keys.limits, { limits: [], realityMinutes: null, ...known })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  expect(renderHook(useOnBreak, { wrapper }).result.current).toBe(stopped)
})
