import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FeedEvent } from '@/contract/feed'
import { type FakeFeed, heard, stubFeed } from '@test/fake-feed'
import { shareFeed } from './shared-feed'

const tabs: (() => void)[] = []

/** A tab that begins behind an event, and what it was told: numbers, and `reset` where it is to read all afresh. */
function tab(after: string) {
  const told: string[] = []
  const close = shareFeed(after, ({ id, kind }: FeedEvent) => told.push(kind === 'reset' ? 'reset' : id))
  tabs.push(close)
  return { told, close }
}

function tell(feed: FakeFeed, times: number) {
  for (let n = 0; n < times; n += 1) feed.tell('leaderboard')
}

afterEach(() => {
  for (const close of tabs.splice(0)) close()
})

describe('the feed of a browser', () => {
  it('reads one stream for all tabs, and delivers every event to each, once and in order', async () => {
    const feed = stubFeed()
    const failed = vi.fn()
    window.addEventListener('error', failed, { once: true })
    tell(feed, 3)
    const [first, second] = [tab('3'), tab('3')]
    await heard()
    feed.tell('open')
    tell(feed, 1)
    await heard()
    expect(failed).not.toHaveBeenCalled()
    expect(feed.asked).toEqual(['/api/feed?lastEventId=3'])
    expect([first.told, second.told]).toEqual([
      ['4', '5'],
      ['4', '5'],
    ])
  })

  it('tells each tab which events are the user’s own', async () => {
    const feed = stubFeed()
    const own: string[] = []
    const note = ({ id, own: mine }: FeedEvent) => mine && own.push(id)
    tabs.push(shareFeed('0', note), shareFeed('0', note))
    await heard()
    tell(feed, 1)
    feed.tell('leaderboard', {}, true)
    await heard()
    tabs.push(shareFeed('0', note))
    await heard()
    expect(own).toEqual(['2', '2', '2'])
    expect(feed.asked).toHaveLength(1)
  })

  it('continues in the next tab when the reading one closes, without gaps or repeats', async () => {
    const feed = stubFeed()
    tell(feed, 3)
    const [first, second, third] = [tab('3'), tab('3'), tab('3')]
    await heard()
    tell(feed, 2)
    await heard()
    first.close()
    // While nobody reads.
    tell(feed, 2)
    await heard()
    tell(feed, 1)
    await heard()
    expect(feed.asked).toEqual(['/api/feed?lastEventId=3', '/api/feed?lastEventId=5'])
    expect(first.told).toEqual(['4', '5'])
    for (const { told } of [second, third]) expect(told).toEqual(['4', '5', '6', '7', '8'])
  })

  it('sends a later tab the events since its page was rendered', async () => {
    const feed = stubFeed()
    tell(feed, 3)
    tab('3')
    await heard()
    tell(feed, 3)
    const late = tab('4')
    await heard()
    tell(feed, 1)
    await heard()
    expect(late.told).toEqual(['5', '6', '7'])
    expect(feed.asked).toHaveLength(1)
  })

  it('resets a tab whose page is older than the reader’s history', async () => {
    const feed = stubFeed()
    tell(feed, 6)
    tab('6')
    await heard()
    const late = tab('2')
    await heard()
    tell(feed, 1)
    await heard()
    expect(late.told).toEqual(['reset', '7'])
  })

  it('resets a tab that doesn’t know its page’s position', async () => {
    const feed = stubFeed()
    tell(feed, 2)
    const first = tab('')
    await heard()
    tell(feed, 1)
    expect(feed.asked).toEqual(['/api/feed'])
    expect(first.told).toEqual(['reset', '3'])
  })

  it('passes on a reset by the server, and continues after it', async () => {
    const feed = stubFeed()
    tell(feed, 1)
    const [first, second] = [tab('1'), tab('1')]
    await heard()
    feed.tell('reset')
    tell(feed, 1)
    const late = tab('1')
    await heard()
    expect([first.told, second.told]).toEqual([
      ['reset', '3'],
      ['reset', '3'],
    ])
    expect(late.told).toEqual(['reset', '3'])
  })

  it.each(['freeze', 'pagehide'])(
    'is left to the others on %s, and comes back with everything to be read',
    async (gone) => {
      const feed = stubFeed()
      tell(feed, 1)
      const { told } = tab('1')
      await heard()
      const [place, back] = gone === 'freeze' ? [document, 'resume'] : [window, 'pageshow']
      place.dispatchEvent(new Event(gone))
      await heard()
      expect(feed.streams.size).toBe(0)
      tell(feed, 3)
      place.dispatchEvent(new Event(back))
      await heard()
      tell(feed, 1)
      await heard()
      expect(told).toEqual(['reset', '5'])
      expect(feed.streams.size).toBe(1)
    },
  )

  it('is separate for each tab without the Web Locks API', async () => {
    const feed = stubFeed({ sharing: false })
    const both = [tab('0'), tab('0')]
    await heard()
    tell(feed, 1)
    expect(feed.asked).toHaveLength(2)
    for (const { told } of both) expect(told).toEqual(['1'])
  })

  it('retries with growing delays after a refusal', async () => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const feed = stubFeed()
    feed.refusing = true
    const { told } = tab('0')
    for (const [wait, asked] of [
      [0, 1],
      [999, 1],
      [1, 2],
      [1999, 2],
      [1, 3],
      [4000, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(wait)
      expect(feed.asked).toHaveLength(asked)
    }
    feed.refusing = false
    await vi.advanceTimersByTimeAsync(8000)
    tell(feed, 1)
    expect(told).toEqual(['1'])
    vi.useRealTimers()
  })
})
