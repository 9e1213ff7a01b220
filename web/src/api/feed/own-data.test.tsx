import { type QueryKey, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SessionContext } from '@/lib/session'
import { signedIn } from '@test/render-page'
import { someUser } from '@test/data'
import { stubFeed } from '@test/fake-feed'
import { useInvalidate } from '../invalidations'
import { keys } from '../keys'
import { createQueryClient } from '../query-client'
import { awayMs, refreshOwnData } from './own-data'

const { walletAddress } = someUser

let hidden = false
function turn(away: boolean) {
  hidden = away
  document.dispatchEvent(new Event('visibilitychange'))
}

let stops: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
  stubFeed()
})
afterEach(() => {
  for (const stop of stops) stop()
  stops = []
  hidden = false
  vi.useRealTimers()
})

/** A tab that displays some queries. */
function tab(address: string, ...shown: QueryKey[]) {
  const client = createQueryClient()
  const read = vi.fn((queryKey: QueryKey) => Promise.resolve(queryKey))
  for (const queryKey of shown) {
    client.setQueryData(queryKey, 'old')
    const observer = new QueryObserver(client, { queryKey, queryFn: () => read(queryKey) })
    stops.push(observer.subscribe(() => {}))
  }
  stops.push(refreshOwnData(client, address))
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionContext value={signedIn}>{children}</SessionContext>
    </QueryClientProvider>
  )
  const open = () => renderHook(() => useInvalidate('open'), { wrapper }).result.current()
  const refetched = () => read.mock.calls.map(([[path]]) => String(path)).toSorted()
  return { open, refetched }
}

const advanceTime = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

it('refetches what changed in another tab, once, and nothing else', async () => {
  const acting = tab(walletAddress, keys.wallet)
  const other = tab(walletAddress, keys.wallet, keys.inventory, keys.items)
  await acting.open()
  await advanceTime(10_000)
  expect(acting.refetched()).toEqual([...keys.wallet])
  expect(other.refetched()).toEqual([...keys.inventory, ...keys.wallet])
})

it('ignores changes by other users', async () => {
  const acting = tab(walletAddress)
  const other = tab('somebody else', keys.wallet)
  await acting.open()
  await advanceTime()
  expect(other.refetched()).toEqual([])
})

it('keeps the commitment while another tab opens a pack', async () => {
  const acting = tab(walletAddress)
  const other = tab(walletAddress, keys.commitment)
  await acting.open()
  await advanceTime()
  expect(other.refetched()).toEqual([])
})

it('refetches own data after the page was hidden for long', async () => {
  const { refetched } = tab(walletAddress, keys.inventory, keys.opens, keys.items)
  turn(true)
  await advanceTime(awayMs - 1)
  turn(false)
  await advanceTime()
  expect(refetched()).toEqual([])
  turn(true)
  await advanceTime(awayMs)
  turn(false)
  await advanceTime()
  expect(refetched()).toEqual([...keys.inventory, ...keys.opens])
})
