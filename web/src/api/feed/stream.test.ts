import { expect, it, onTestFinished, vi } from 'vitest'
import { stubFeed } from '@test/fake-feed'
import { readFeed } from './stream'

/** A feed that is being read, and what was heard of it. Time passes by `vi.advanceTimersByTimeAsync`. */
async function reading() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const feed = stubFeed()
  const heard: string[] = []
  onTestFinished(
    readFeed(
      () => heard.at(-1) ?? '',
      ({ id }) => heard.push(id),
    ),
  )
  await vi.advanceTimersByTimeAsync(0)
  return { feed, heard }
}

it('reconnects after the last event when the stream was silent for two and a half heartbeats', async () => {
  const { feed, heard } = await reading()
  feed.tell('leaderboard')
  await vi.advanceTimersByTimeAsync(37_000)
  expect(feed.asked).toEqual(['/api/feed'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(feed.asked).toEqual(['/api/feed', '/api/feed?lastEventId=1'])
  expect(feed.streams.size).toBe(1)
  feed.tell('leaderboard')
  expect(heard).toEqual(['1', '2'])
})

it('keeps a stream alive on heartbeats, which aren’t passed on as events', async () => {
  const { feed, heard } = await reading()
  for (let beat = 0; beat < 10; beat += 1) {
    await vi.advanceTimersByTimeAsync(15_000)
    for (const stream of feed.streams) stream.dispatchEvent(new MessageEvent('heartbeat', { data: '{}' }))
  }
  expect(feed.asked).toEqual(['/api/feed'])
  expect(heard).toEqual([])
})

it('checks the stream as soon as the page is shown, because timers stop while a machine sleeps', async () => {
  const { feed } = await reading()
  vi.setSystemTime(Date.now() + 60_000)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(feed.asked).toEqual(['/api/feed', '/api/feed'])
})

it('doesn’t shorten the wait after a refused stream', async () => {
  const { feed } = await reading()
  feed.refusing = true
  for (const stream of feed.streams) stream.refuse()
  vi.setSystemTime(Date.now() + 60_000)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(feed.asked).toEqual(['/api/feed'])
})
