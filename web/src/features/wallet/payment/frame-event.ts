/** What the frame tells of the provider's widget in it. */
export type FrameEvent =
  | { type: 'ready' | 'pending' | 'cancel' | 'unavailable' | 'error' }
  | { type: 'height'; px: number }
  | { type: 'success'; transaction: string }

/** What a Solana signature looks like: 64 bytes in base58. */
const signature = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
const bare = ['ready', 'pending', 'cancel', 'unavailable', 'error'] as const

/** An event of the frame's, if a message is one that means something here. */
export function frameEventOf(message: unknown): FrameEvent | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const { source, type, px, transaction } = message as Partial<Record<string, unknown>>
  if (source !== 'kaibao-payment') return undefined
  if (type === 'height') return typeof px === 'number' && px > 0 && Number.isFinite(px) ? { type, px } : undefined
  if (type === 'success')
    return typeof transaction === 'string' && signature.test(transaction) ? { type, transaction } : undefined
  const known = bare.find((one) => one === type)
  return known && { type: known }
}
