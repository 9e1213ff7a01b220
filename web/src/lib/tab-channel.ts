export interface TabChannel<Word> {
  send: (word: Word) => void
  /** Until what it gives is called. */
  subscribe: (listener: (word: Word) => void) => () => void
}

/** Opens a channel to the other tabs of this browser; undefined where the browser refuses it, as it does storage. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    // oxlint-disable-next-line no-restricted-globals -- the one place that opens channels
    return new BroadcastChannel(`kaibao:${name}`)
  } catch {
    return undefined
  }
}

/** A way to the other tabs of this browser, by its name; it never leads to the tab itself. */
export function tabChannel<Word>(name: string): TabChannel<Word> {
  const channel = openChannel(name)
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
    send: (word) => channel?.postMessage(word),
    subscribe(listener) {
      const take = ({ data }: MessageEvent<Word>) => listener(data)
      channel?.addEventListener('message', take)
      return () => channel?.removeEventListener('message', take)
    },
  }
}
