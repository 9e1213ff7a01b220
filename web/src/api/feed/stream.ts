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

/** Two and a half times as long as the server stays quiet between events. */
const silentMs = 37_500

const firstWaitMs = 1000
const longestWaitMs = 60_000

/** How long to wait after so many refusals: up to twice as long each time, and no two browsers as long. */
function waitMs(refusals: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** refusals) * (0.5 + Math.random() / 2)
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
  let heardAt = 0
  let refusals = 0
  /** Ids of the user's own events that are about to come. */
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
      timer = window.setTimeout(open, waitMs(refusals))
      refusals += 1
    })
    source.addEventListener('heartbeat', alive)
    source.addEventListener('own', ({ data }: MessageEvent<string>) => {
      for (const id of (JSON.parse(data) as { ids: readonly string[] }).ids) own.add(id)
    })
    for (const kind of Object.keys(kinds)) source.addEventListener(kind, hear)
  }
  function hear(event: Event) {
    // That the stream is open is an `open` too.
    if (!(event instanceof MessageEvent)) return
    alive()
    const { type, data, lastEventId } = event as MessageEvent<string>
    const happened = { id: lastEventId, kind: type, data: JSON.parse(data) as unknown } as FeedEvent
    onEvent(own.delete(lastEventId) ? { ...happened, own: true } : happened)
  }
  function alive() {
    heardAt = Date.now()
    window.clearTimeout(watchdog)
    watchdog = window.setTimeout(check, silentMs)
  }
  function check() {
    // A refused stream is closed already, and waits for its turn.
    if (source.readyState === EventSource.CLOSED) return
    window.clearTimeout(watchdog)
    const silentFor = Date.now() - heardAt
    if (silentFor < silentMs) {
      watchdog = window.setTimeout(check, silentMs - silentFor)
      return
    }
    source.close()
    open()
  }
  // Browsers throttle timers of hidden pages, and timers stop while the device sleeps.
  function shown() {
    if (!document.hidden) check()
  }

  open()
  document.addEventListener('visibilitychange', shown)
  return () => {
    document.removeEventListener('visibilitychange', shown)
    window.clearTimeout(timer)
    window.clearTimeout(watchdog)
    source.close()
  }
}
