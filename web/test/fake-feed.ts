import { vi } from 'vitest'

interface Sent {
  id: number
  kind: string
  data: object
  own: boolean
}

/** A fake event stream, with locks and channels shared by tabs. */
export class FakeFeed {
  readonly events: Sent[] = []
  readonly streams = new Set<FakeSource>()
  /** URLs of the streams, in order. */
  readonly requests: string[] = []
  refuses = false

  /** Sends an event to every stream. */
  send(kind: string, data: object = {}, own = false): void {
    const event = { id: this.events.length + 1, kind, data, own }
    this.events.push(event)
    for (const stream of this.streams) stream.receive(event)
  }
}

class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  readyState = 0
  readonly #feed: FakeFeed
  #last: number

  constructor(feed: FakeFeed, url: string) {
    super()
    this.#feed = feed
    feed.requests.push(url)
    const after = new URL(url, 'http://feed.invalid').searchParams.get('lastEventId')
    this.#last = after === null ? feed.events.length : Number(after)
    queueMicrotask(() => this.#begin())
  }

  #begin() {
    if (this.readyState === FakeSource.CLOSED) return
    if (this.#feed.refuses) return this.refuse()
    this.readyState = 1
    this.#feed.streams.add(this)
    this.dispatchEvent(new Event('open'))
    for (const event of this.#feed.events.slice(this.#last)) this.receive(event)
  }

  receive({ id, kind, data, own }: Sent) {
    if (own) this.dispatchEvent(new MessageEvent('own', { data: JSON.stringify({ ids: [String(id)] }) }))
    this.#last = id
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data), lastEventId: String(id) }))
  }

  /** Closes the stream like a browser that gives up. */
  refuse() {
    this.close()
    this.dispatchEvent(new Event('error'))
  }

  close() {
    this.readyState = FakeSource.CLOSED
    this.#feed.streams.delete(this)
  }
}

class FakeChannel extends EventTarget {
  readonly #others: Set<FakeChannel>

  constructor(others: Set<FakeChannel>) {
    super()
    this.#others = others
    others.add(this)
  }

  postMessage(data: unknown) {
    const text = JSON.stringify(data)
    for (const other of this.#others)
      if (other !== this)
        queueMicrotask(() => {
          if (this.#others.has(other)) other.dispatchEvent(new MessageEvent('message', { data: JSON.parse(text) }))
        })
  }

  close() {
    this.#others.delete(this)
  }
}

type LockCallback = () => Promise<unknown>

/** Fake navigator.locks with a single lock. */
function fakeLocks() {
  const waiting: LockCallback[] = []
  let taken = false
  async function next() {
    const act = taken ? undefined : waiting.shift()
    if (!act) return
    taken = true
    await act()
    taken = false
    void next()
  }
  return {
    request(_name: string, { signal }: { signal: AbortSignal }, act: LockCallback) {
      return new Promise<void>((done, fail) => {
        const turn = () => act().then(() => done())
        signal.addEventListener('abort', () => {
          const at = waiting.indexOf(turn)
          if (at < 0) return
          waiting.splice(at, 1)
          fail(new DOMException('left', 'AbortError'))
        })
        waiting.push(turn)
        void next()
      })
    },
  }
}

/** Stubs EventSource, BroadcastChannel and locks. Vitest restores them after the test. */
export function stubFeed({ sharing = true } = {}): FakeFeed {
  const feed = new FakeFeed()
  const channels = new Map<string, Set<FakeChannel>>()
  class Source extends FakeSource {
    constructor(url: string) {
      super(feed, url)
    }
  }
  class Channel extends FakeChannel {
    constructor(name: string) {
      const others = channels.get(name) ?? new Set()
      channels.set(name, others)
      super(others)
    }
  }
  vi.stubGlobal('EventSource', Source)
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.stubGlobal('navigator', sharing ? { locks: fakeLocks() } : {})
  return feed
}

/** Waits until all messages between tabs have been delivered. */
export const messagesDelivered = () => new Promise((resolve) => setTimeout(resolve))
