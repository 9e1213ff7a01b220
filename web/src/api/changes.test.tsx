import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { type Act, useRefresh } from './changes'
import { keys } from './keys'
import { createQueryClient } from './query-client'

it.each<Act>([
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
  client.setQueryData(keys.trail, [])
  await renderHook(() => useRefresh(act), { wrapper }).result.current()
  expect(client.getQueryState(keys.trail)?.isInvalidated).toBe(true)
})
