/** Events of the provider's widget, posted by the frame. */
export type FrameEvent =
  | { type: 'ready' | 'pending' | 'cancel' | 'unavailable' | 'error' }
  | { type: 'height'; px: number }
  | { type: 'success'; transaction: string }

/** A Solana signature: 64 bytes in base58. */
const signaturePattern = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
const typesWithoutData = ['ready', 'pending', 'cancel', 'unavailable', 'error'] as const

/** Parses a message; undefined if it isn't a valid event of our frame. */
export function frameEventOf(message: unknown): FrameEvent | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const { source, type, px, transaction } = message as Partial<Record<string, unknown>>
  if (source !== 'kaibao-payment') return undefined
  if (type === 'height') return typeof px === 'number' && px > 0 && Number.isFinite(px) ? { type, px } : undefined
  if (type === 'success')
    return typeof transaction === 'string' && signaturePattern.test(transaction) ? { type, transaction } : undefined
  const knownType = typesWithoutData.find((candidate) => candidate === type)
  return knownType && { type: knownType }
}
