import type { FeedEvent } from '@/contract/feed'
import { openChannel } from '@/lib/tab-channel'
import { readFeed } from './stream'

/** Name of the channel and the lock. It changes with `TabMessage`, so that tabs of an older version don't mix in. */
const channelName = 'feed-3'

/** How many recent events the reading tab keeps for tabs that open later. */
const maxRecent = 500

/** Messages between tabs: an event, the recent events since `from`, or a request for them. */
type TabMessage = { event: FeedEvent } | { from: string; recent: readonly FeedEvent[] } | { wanted: true }

/**
 * Delivers the market events after `after` to this tab, each once and in order. One tab of the browser reads the stream
 * and forwards events to the others; when it closes, the next tab continues after the last event it has. A tab that may
 * have missed events gets a `reset` first, as does one that starts without `after`.
 */
export function shareFeed(after: string, onEvent: (event: FeedEvent) => void): () => void {
  let lastId = after
  let leave: (() => void) | undefined

  function deliver(event: FeedEvent) {
    const isNew = event.kind === 'reset' || !lastId || Number(event.id) > Number(lastId)
    if (!isNew) return
    lastId = event.id
    onEvent(event)
  }
  const reset = (id: string) => deliver({ id, kind: 'reset', data: {} })
  function enter() {
    // Locks need https. Without locks or channels, each tab reads its own stream.
    const channel = 'locks' in navigator ? openChannel(channelName) : undefined
    leave = channel ? join({ channel, lastId: () => lastId, deliver, reset }) : readFeed(() => lastId, deliver)
  }

  // A frozen or cached page stops reading. When resumed, it can't know which events it missed.
  function suspend() {
    leave?.()
    leave = undefined
  }
  function resume() {
    if (leave) return
    reset('')
    enter()
  }
  const lifecycle = [
    [window, 'pagehide', suspend],
    [window, 'pageshow', resume],
    [document, 'freeze', suspend],
    [document, 'resume', resume],
  ] as const
  for (const [target, type, listener] of lifecycle) target.addEventListener(type, listener)
  if (!lastId) reset('')
  enter()
  return () => {
    for (const [target, type, listener] of lifecycle) target.removeEventListener(type, listener)
    suspend()
  }
}

interface Tab {
  channel: BroadcastChannel
  lastId: () => string
  deliver: (event: FeedEvent) => void
  /** Delivers a reset: events up to this one were missed. */
  reset: (id: string) => void
}

/** Waits for the lock to read the stream, and meanwhile receives events from the reading tab. */
function join({ channel, lastId, deliver, reset }: Tab): () => void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  const send = (message: TabMessage) => channel.postMessage(message)
  const leave = new AbortController()
  /** A tab handles live events only after it has received the earlier ones. */
  let joined = false
  let sendRecent: (() => void) | undefined
  let stopUnlocked: (() => void) | undefined

  channel.addEventListener('message', ({ data: message }: MessageEvent<TabMessage>) => {
    if ('wanted' in message) return sendRecent?.()
    if ('event' in message) return joined ? deliver(message.event) : undefined
    if (sendRecent) return
    if (!message.from || Number(lastId()) < Number(message.from)) reset(message.from)
    joined = true
    for (const event of message.recent) deliver(event)
  })

  function read() {
    let from = lastId()
    const recent: FeedEvent[] = []
    joined = true
    sendRecent = () => send({ from, recent })
    const stop = readFeed(lastId, (event) => {
      deliver(event)
      recent.push(event)
      // A tab that starts after a reset refetches everything anyway.
      const excess = event.kind === 'reset' ? recent.length : recent.length - maxRecent
      from = recent.splice(0, Math.max(0, excess)).at(-1)?.id ?? from
      send({ event })
    })
    sendRecent()
    return stop
  }

  send({ wanted: true })
  navigator.locks
    .request(`kaibao:${channelName}`, { signal: leave.signal }, async () => {
      const stop = read()
      await new Promise<void>((resolve) => {
        leave.signal.addEventListener('abort', () => {
          stop()
          resolve()
        })
      })
    })
    // Either this tab left, or the browser refuses locks, as it refuses storage.
    .catch(() => (stopUnlocked = leave.signal.aborted ? undefined : read()))
  return () => {
    leave.abort()
    stopUnlocked?.()
    channel.close()
  }
}
