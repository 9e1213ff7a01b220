export interface TabChannel<Message> {
  send: (message: Message) => void
  /** Returns an unsubscribe function. */
  subscribe: (listener: (message: Message) => void) => () => void
}

/** Opens a channel to the browser's other tabs; undefined if the browser refuses it, for example without storage. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    // oxlint-disable-next-line no-restricted-globals -- the one place that opens channels
    return new BroadcastChannel(`kaibao:${name}`)
  } catch {
    return undefined
  }
}

/** A channel to the browser's other tabs. Messages don't reach the sending tab. */
export function tabChannel<Message>(name: string): TabChannel<Message> {
  const channel = openChannel(name)
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
    send: (message) => channel?.postMessage(message),
    subscribe(listener) {
      const onMessage = ({ data }: MessageEvent<Message>) => listener(data)
      channel?.addEventListener('message', onMessage)
      return () => channel?.removeEventListener('message', onMessage)
    },
  }
}
