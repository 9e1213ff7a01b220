/** What the frame tells of the provider's widget in it. */
export type FrameEvent =
  | { type: 'ready' | 'pending' | 'cancel' | 'unavailable' | 'error' }
  | { type: 'height'; px: number }
  | { type: 'success'; transaction: string }

const bare = ['ready', 'pending', 'cancel', 'unavailable', 'error'] as const

/** An event of the frame's, if a message is one that means something here. */
export function frameEventOf(message: unknown): FrameEvent | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const { source, type, px, transaction } = message as Partial<Record<string, unknown>>
  if (source !== 'kaibao-payment') return undefined
  if (type === 'height') return typeof px === 'number' && px > 0 ? { type, px } : undefined
  if (type === 'success') return typeof transaction === 'string' ? { type, transaction } : undefined
  const known = bare.find((one) => one === type)
  return known && { type: known }
}
