import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { type ActName, useInvalidate } from './invalidations'
import { keys } from './keys'
import { createQueryClient } from './query-client'

it.each<ActName>([
  'resolve',
  'credit',
  'decide',
  'setRole',
  'endSessions',
  'openClaims',
  'stepClaims',
  'createItem',
  'editItem',
  'editPack',
  'createPack',
  'importItems',
])('invalidates the admin log: %s', async (act) => {
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  client.setQueryData(keys.adminLog, [])
  await renderHook(() => useInvalidate(act), { wrapper }).result.current()
  expect(client.getQueryState(keys.adminLog)?.isInvalidated).toBe(true)
})
