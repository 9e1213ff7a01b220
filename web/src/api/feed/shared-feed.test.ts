import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FeedEvent } from '@/contract/feed'
import { type FakeFeed, messagesDelivered, stubFeed } from '@test/fake-feed'
import { shareFeed } from './shared-feed'

const tabs: (() => void)[] = []

/** A tab whose page has events up to `after`. `received` has the ids of later events, and `reset`. */
function tab(after: string) {
  const received: string[] = []
  const close = shareFeed(after, ({ id, kind }: FeedEvent) => received.push(kind === 'reset' ? 'reset' : id))
  tabs.push(close)
  return { received, close }
}

function send(feed: FakeFeed, times: number) {
  for (let n = 0; n < times; n += 1) feed.send('leaderboard')
}

afterEach(() => {
  for (const close of tabs.splice(0)) close()
})

describe('the feed of a browser', () => {
  it('reads one stream for all tabs, and delivers every event to each, once and in order', async () => {
    const feed = stubFeed()
    const failed = vi.fn()
    window.addEventListener('error', failed, { once: true })
    send(feed, 3)
    const [first, second] = [tab('3'), tab('3')]
    await messagesDelivered()
    feed.send('open')
    send(feed, 1)
    await messagesDelivered()
    expect(failed).not.toHaveBeenCalled()
    expect(feed.requests).toEqual(['/api/feed?lastEventId=3'])
    expect([first.received, second.received]).toEqual([
      ['4', '5'],
      ['4', '5'],
    ])
  })

  it('tells each tab which events are the user’s own', async () => {
    const feed = stubFeed()
    const own: string[] = []
    const note = ({ id, own: mine }: FeedEvent) => mine && own.push(id)
    tabs.push(shareFeed('0', note), shareFeed('0', note))
    await messagesDelivered()
    send(feed, 1)
    feed.send('leaderboard', {}, true)
    await messagesDelivered()
    tabs.push(shareFeed('0', note))
    await messagesDelivered()
    expect(own).toEqual(['2', '2', '2'])
    expect(feed.requests).toHaveLength(1)
  })

  it('continues in the next tab when the reading one closes, without gaps or repeats', async () => {
    const feed = stubFeed()
    send(feed, 3)
    const [first, second, third] = [tab('3'), tab('3'), tab('3')]
    await messagesDelivered()
    send(feed, 2)
    await messagesDelivered()
    first.close()
    // While no tab reads.
    send(feed, 2)
    await messagesDelivered()
    send(feed, 1)
    await messagesDelivered()
    expect(feed.requests).toEqual(['/api/feed?lastEventId=3', '/api/feed?lastEventId=5'])
    expect(first.received).toEqual(['4', '5'])
    for (const { received } of [second, third]) expect(received).toEqual(['4', '5', '6', '7', '8'])
  })

  it('sends a later tab the events since its page was rendered', async () => {
    const feed = stubFeed()
    send(feed, 3)
    tab('3')
    await messagesDelivered()
    send(feed, 3)
    const late = tab('4')
    await messagesDelivered()
    send(feed, 1)
    await messagesDelivered()
    expect(late.received).toEqual(['5', '6', '7'])
    expect(feed.requests).toHaveLength(1)
  })

  it('resets a tab whose page is older than the reader’s history', async () => {
    const feed = stubFeed()
    send(feed, 6)
    tab('6')
    await messagesDelivered()
    const late = tab('2')
    await messagesDelivered()
    send(feed, 1)
    await messagesDelivered()
    expect(late.received).toEqual(['reset', '7'])
  })

  it('resets a tab that doesn’t know its page’s position', async () => {
    const feed = stubFeed()
    send(feed, 2)
    const first = tab('')
    await messagesDelivered()
    send(feed, 1)
    expect(feed.requests).toEqual(['/api/feed'])
    expect(first.received).toEqual(['reset', '3'])
  })

  it('passes on a reset by the server, and continues after it', async () => {
    const feed = stubFeed()
    send(feed, 1)
    const [first, second] = [tab('1'), tab('1')]
    await messagesDelivered()
    feed.send('reset')
    send(feed, 1)
    const late = tab('1')
    await messagesDelivered()
    expect([first.received, second.received]).toEqual([
      ['reset', '3'],
      ['reset', '3'],
    ])
    expect(late.received).toEqual(['reset', '3'])
  })

  it.each(['freeze', 'pagehide'])(
    'is left to the others on %s, and comes back with everything to be read',
    async (gone) => {
      const feed = stubFeed()
      send(feed, 1)
      const { received } = tab('1')
      await messagesDelivered()
      const [place, back] = gone === 'freeze' ? [document, 'resume'] : [window, 'pageshow']
      place.dispatchEvent(new Event(gone))
      await messagesDelivered()
      expect(feed.streams.size).toBe(0)
      send(feed, 3)
      place.dispatchEvent(new Event(back))
      await messagesDelivered()
      send(feed, 1)
      await messagesDelivered()
      expect(received).toEqual(['reset', '5'])
      expect(feed.streams.size).toBe(1)
    },
  )

  it('is separate for each tab without the Web Locks API', async () => {
    const feed = stubFeed({ sharing: false })
    const both = [tab('0'), tab('0')]
    await messagesDelivered()
    send(feed, 1)
    expect(feed.requests).toHaveLength(2)
    for (const { received } of both) expect(received).toEqual(['1'])
  })

  it('retries with growing delays after a refusal', async () => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const feed = stubFeed()
    feed.refuses = true
    const { received } = tab('0')
    for (const [wait, asked] of [
      [0, 1],
      [999, 1],
      [1, 2],
      [1999, 2],
      [1, 3],
      [4000, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(wait)
      expect(feed.requests).toHaveLength(asked)
    }
    feed.refuses = false
    await vi.advanceTimersByTimeAsync(8000)
    send(feed, 1)
    expect(received).toEqual(['1'])
    vi.useRealTimers()
  })
})
