import { expect, it, onTestFinished, vi } from 'vitest'
import { stubFeed } from '@test/fake-feed'
import { readFeed } from './stream'

/** Reads a feed with fake timers. `received` has the ids of its events. */
async function startReading() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const feed = stubFeed()
  const received: string[] = []
  onTestFinished(
    readFeed(
      () => received.at(-1) ?? '',
      ({ id }) => received.push(id),
    ),
  )
  await vi.advanceTimersByTimeAsync(0)
  return { feed, received }
}

it('reconnects after the last event when the stream was silent for two and a half heartbeats', async () => {
  const { feed, received } = await startReading()
  feed.send('leaderboard')
  await vi.advanceTimersByTimeAsync(37_000)
  expect(feed.requests).toEqual(['/api/feed'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(feed.requests).toEqual(['/api/feed', '/api/feed?lastEventId=1'])
  expect(feed.streams.size).toBe(1)
  feed.send('leaderboard')
  expect(received).toEqual(['1', '2'])
})

it('keeps a stream alive on heartbeats, which aren’t passed on as events', async () => {
  const { feed, received } = await startReading()
  for (let beat = 0; beat < 10; beat += 1) {
    await vi.advanceTimersByTimeAsync(15_000)
    for (const stream of feed.streams) stream.dispatchEvent(new MessageEvent('heartbeat', { data: '{}' }))
  }
  expect(feed.requests).toEqual(['/api/feed'])
  expect(received).toEqual([])
})

it('checks the stream as soon as the page is shown, because timers stop while a machine sleeps', async () => {
  const { feed } = await startReading()
  vi.setSystemTime(Date.now() + 60_000)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(feed.requests).toEqual(['/api/feed', '/api/feed'])
})

it('doesn’t shorten the wait after a refused stream', async () => {
  const { feed } = await startReading()
  feed.refuses = true
  for (const stream of feed.streams) stream.refuse()
  vi.setSystemTime(Date.now() + 60_000)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(feed.requests).toEqual(['/api/feed'])
})
