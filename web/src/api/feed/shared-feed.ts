import type { FeedEvent } from '@/contract/feed'
import { openChannel } from '@/lib/tab-channel'
import { readFeed } from './stream'

/** Name of the channel and the lock. It changes with `TabMessage`, so that tabs of an older version don't mix in. */
const shared = 'feed-2'

/** How many of the latest events the tab that reads keeps for tabs that come later. */
const maxKept = 500

/** Messages between tabs: an event, the events kept since one, or a request for them. */
type TabMessage = { event: FeedEvent } | { from: string; kept: readonly FeedEvent[] } | { wanted: true }

/**
 * Delivers the market events after `after` to this tab, each once and in order. One tab of the browser reads the stream
 * and forwards events to the others; when it closes, the next tab continues after the last event it has. A tab that may
 * have missed events gets a `reset` first, as does one that starts without `after`.
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
    const channel = 'locks' in navigator ? openChannel(shared) : undefined
    leave = channel ? join({ channel, seen: () => seen, hear, lost }) : readFeed(() => seen, hear)
  }

  // A frozen or cached page gives up its turn. When resumed, it can't know which events it missed.
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
  /** A tab handles live events only after it has received the earlier ones. */
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
      // A tab that starts after a reset refetches everything anyway.
      const old = event.kind === 'reset' ? kept.length : kept.length - maxKept
      from = kept.splice(0, Math.max(0, old)).at(-1)?.id ?? from
      say({ event })
    })
    answer()
    return stop
  }

  say({ wanted: true })
  navigator.locks
    .request(`kaibao:${shared}`, { signal: left.signal }, async () => {
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
