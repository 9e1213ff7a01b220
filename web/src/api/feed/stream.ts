import type { FeedEvent, FeedKind } from '@/contract/feed'

const path = '/api/feed'

// Only these kinds are handled; kinds of a newer server are ignored.
const kinds: Record<FeedKind, true> = {
  open: true,
  more: true,
  listing: true,
  delisted: true,
  sale: true,
  left: true,
  book: true,
  value: true,
  item: true,
  leaderboard: true,
  reset: true,
}

/** Two and a half heartbeat intervals of the server. */
const silentMs = 37_500

const minWaitMs = 1000
const maxWaitMs = 60_000

/** Exponential backoff with jitter, so that browsers don't reconnect at the same time. */
function backoffMs(refusals: number): number {
  return Math.min(maxWaitMs, minWaitMs * 2 ** refusals) * (0.5 + Math.random() / 2)
}

/**
 * Reads market events after the one that `getLastEventId` returns, until the returned function is called. The browser
 * reconnects a broken stream itself. A refused one (429, 503) is retried later, and one without a heartbeat for two and
 * a half intervals is closed and reopened, because browsers don't notice dead connections.
 */
export function readFeed(getLastEventId: () => string, onEvent: (event: FeedEvent) => void): () => void {
  let source: EventSource
  let timer: number | undefined
  let watchdog: number | undefined
  let lastMessageAt = 0
  let refusals = 0
  /** Ids of the user's own events that follow in the stream. */
  const own = new Set<string>()

  function open() {
    own.clear()
    const after = getLastEventId()
    source = new EventSource(after ? `${path}?lastEventId=${after}` : path)
    alive()
    source.addEventListener('open', () => {
      refusals = 0
      alive()
    })
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return
      window.clearTimeout(watchdog)
      timer = window.setTimeout(open, backoffMs(refusals))
      refusals += 1
    })
    source.addEventListener('heartbeat', alive)
    source.addEventListener('own', ({ data }: MessageEvent<string>) => {
      for (const id of (JSON.parse(data) as { ids: readonly string[] }).ids) own.add(id)
    })
    for (const kind of Object.keys(kinds)) source.addEventListener(kind, receive)
  }
  function receive(event: Event) {
    // The stream's own open event has the same name as an `open` of a pack.
    if (!(event instanceof MessageEvent)) return
    alive()
    const { type, data, lastEventId } = event as MessageEvent<string>
    const feedEvent = { id: lastEventId, kind: type, data: JSON.parse(data) as unknown } as FeedEvent
    onEvent(own.delete(lastEventId) ? { ...feedEvent, own: true } : feedEvent)
  }
  function alive() {
    lastMessageAt = Date.now()
    window.clearTimeout(watchdog)
    watchdog = window.setTimeout(check, silentMs)
  }
  function check() {
    // A refused stream is already closed, and its retry is scheduled.
    if (source.readyState === EventSource.CLOSED) return
    window.clearTimeout(watchdog)
    const silentFor = Date.now() - lastMessageAt
    if (silentFor < silentMs) {
      watchdog = window.setTimeout(check, silentMs - silentFor)
      return
    }
    source.close()
    open()
  }
  // Browsers throttle timers of hidden pages, and timers stop while the device sleeps.
  function onVisibilityChange() {
    if (!document.hidden) check()
  }

  open()
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange)
    window.clearTimeout(timer)
    window.clearTimeout(watchdog)
    source.close()
  }
}
