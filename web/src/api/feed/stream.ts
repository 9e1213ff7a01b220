import type { FeedEvent, FeedKind } from '@/lib/contract/feed'

const path = '/api/feed'

// Whoever names each kind here hears it; what else a newer server tells is passed over.
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

const firstWaitMs = 1000
const longestWaitMs = 60_000

/** How long to wait after so many refusals: up to twice as long each time, and no two browsers as long. */
function waitMs(refusals: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** refusals) * (0.5 + Math.random() / 2)
}

/**
 * Reads the market's events, from behind the one that `seen` names, until it is told to stop. A broken stream the
 * browser takes up again by itself; one that was refused (429, 503) is asked for again later.
 */
export function readFeed(seen: () => string, take: (event: FeedEvent) => void): () => void {
  let source: EventSource
  let timer: number | undefined
  let refusals = 0

  function open() {
    const after = seen()
    source = new EventSource(after ? `${path}?lastEventId=${after}` : path)
    source.addEventListener('open', () => (refusals = 0))
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return
      timer = window.setTimeout(open, waitMs(refusals))
      refusals += 1
    })
    for (const kind of Object.keys(kinds)) source.addEventListener(kind, hear)
  }
  function hear(event: Event) {
    // That the stream is open is an `open` too.
    if (!(event instanceof MessageEvent)) return
    const { type, data, lastEventId } = event as MessageEvent<string>
    take({ id: lastEventId, kind: type, data: JSON.parse(data) as unknown } as FeedEvent)
  }

  open()
  return () => {
    window.clearTimeout(timer)
    source.close()
  }
}
