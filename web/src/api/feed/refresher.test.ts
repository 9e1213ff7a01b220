import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../query-client'
import { sharedPace, createRefresher, ownPace } from './refresher'

const queryKey = ['a']

function onScreen() {
  const client = createQueryClient()
  const read = vi.fn(() => Promise.resolve('fresh'))
  client.setQueryData(queryKey, 'old')
  const stop = new QueryObserver(client, { queryKey, queryFn: read }).subscribe(() => {})
  const refresher = createRefresher(client)
  return { client, read, stop, refresh: (pace = sharedPace) => refresher.refresh({ queryKey }, pace) }
}

let hidden = false
function turn(away: boolean) {
  hidden = away
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
})
afterEach(() => {
  hidden = false
  vi.useRealTimers()
})

describe('refetching', () => {
  it('happens once for simultaneous events, and not again before the pause is over', async () => {
    const { read, refresh } = onScreen()
    for (let n = 0; n < 20; n += 1) refresh()
    await vi.advanceTimersByTimeAsync(sharedPace.maxDelayMs / 2 - 1)
    expect(read).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(read).toHaveBeenCalledOnce()
    refresh()
    await vi.advanceTimersByTimeAsync(sharedPace.minIntervalMs)
    expect(read).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(sharedPace.minIntervalMs / 4)
    expect(read).toHaveBeenCalledTimes(2)
  })

  it('is immediate for own data, even during a pause', async () => {
    const { read, refresh } = onScreen()
    refresh()
    refresh(ownPace)
    await vi.advanceTimersByTimeAsync(0)
    expect(read).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(sharedPace.maxDelayMs)
    expect(read).toHaveBeenCalledOnce()
  })

  it('skips data that was refetched meanwhile', async () => {
    const { client, read, refresh } = onScreen()
    refresh()
    client.setQueryData(queryKey, 'newer')
    await vi.advanceTimersByTimeAsync(sharedPace.maxDelayMs)
    expect(read).not.toHaveBeenCalled()
  })

  it('waits until the page is visible', async () => {
    const { read, refresh } = onScreen()
    turn(true)
    refresh()
    await vi.advanceTimersByTimeAsync(60_000)
    refresh()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(read).not.toHaveBeenCalled()
    turn(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(read).toHaveBeenCalledOnce()
  })

  it('only marks queries that aren’t shown as stale', async () => {
    const { client, read, stop, refresh } = onScreen()
    stop()
    refresh(ownPace)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(read).not.toHaveBeenCalled()
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
  })
})
