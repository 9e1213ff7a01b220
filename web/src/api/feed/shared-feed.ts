import type { FeedEvent } from '@/contract/feed'
import { openChannel } from '@/lib/tab-channel'
import { readFeed } from './stream'

/** How many of the latest events the tab that reads keeps for tabs that come later. */
const maxKept = 500

/** What the tab that reads tells the others: an event, or all that it has since one. */
type TabMessage = { event: FeedEvent } | { from: string; kept: readonly FeedEvent[] } | { wanted: true }

/**
 * Hands this tab the market's events behind one, each once and in order. Of a browser's tabs one reads the stream
 * and tells the others; when it closes, the next goes on behind the last event that it has. Where events may have
 * passed it by, a tab gets a `reset` of its own; so it does first of all where it names no event to begin behind.
 */
export function shareFeed(after: string, take: (event: FeedEvent) => void): () => void {
  let seen = after
  let leave: (() => void) | undefined

  function hear(event: FeedEvent) {
    const isNew = event.kind === 'reset' || !seen || Number(event.id) > Number(seen)
    if (!isNew) return
    seen = event.id
    take(event)
  }
  const lost = (id: string) => hear({ id, kind: 'reset', data: {} })
  function enter() {
    const channel = 'locks' in navigator ? openChannel('feed') : undefined
    leave = channel ? join({ channel, seen: () => seen, hear, lost }) : readFeed(() => seen, hear)
  }

  // A page that the browser puts by holds nobody up, and cannot know what it has missed when it is taken up again.
  function away() {
    leave?.()
    leave = undefined
  }
  function back() {
    if (leave) return
    lost('')
    enter()
  }
  const moments = [
    [window, 'pagehide', away],
    [window, 'pageshow', back],
    [document, 'freeze', away],
    [document, 'resume', back],
  ] as const
  for (const [target, moment, act] of moments) target.addEventListener(moment, act)
  if (!seen) lost('')
  enter()
  return () => {
    for (const [target, moment, act] of moments) target.removeEventListener(moment, act)
    away()
  }
}

interface Tab {
  channel: BroadcastChannel
  seen: () => string
  hear: (event: FeedEvent) => void
  /** Says that events up to this one were missed. */
  lost: (id: string) => void
}

/** Needs locks, which are only there on a safe connection, and a channel: else each tab reads for itself. */
function join({ channel, seen, hear, lost }: Tab): () => void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  const say = (word: TabMessage) => channel.postMessage(word)
  const left = new AbortController()
  /** Only a tab that knows what was before may listen to what comes. */
  let joined = false
  let answer: (() => void) | undefined
  let stopAlone: (() => void) | undefined

  channel.addEventListener('message', ({ data: word }: MessageEvent<TabMessage>) => {
    if ('wanted' in word) return answer?.()
    if ('event' in word) return joined ? hear(word.event) : undefined
    if (answer) return
    if (!word.from || Number(seen()) < Number(word.from)) lost(word.from)
    joined = true
    for (const event of word.kept) hear(event)
  })

  function read() {
    let from = seen()
    const kept: FeedEvent[] = []
    joined = true
    answer = () => say({ from, kept })
    const stop = readFeed(seen, (event) => {
      hear(event)
      kept.push(event)
      // Whoever comes behind a reset reads everything afresh already.
      const old = event.kind === 'reset' ? kept.length : kept.length - maxKept
      from = kept.splice(0, Math.max(0, old)).at(-1)?.id ?? from
      say({ event })
    })
    answer()
    return stop
  }

  say({ wanted: true })
  navigator.locks
    .request('kaibao:feed', { signal: left.signal }, async () => {
      const stop = read()
      await new Promise<void>((resolve) => {
        left.signal.addEventListener('abort', () => {
          stop()
          resolve()
        })
      })
    })
    // It left before its turn came, or the browser refuses locks, as it does storage.
    .catch(() => (stopAlone = left.signal.aborted ? undefined : read()))
  return () => {
    left.abort()
    stopAlone?.()
    channel.close()
  }
}
