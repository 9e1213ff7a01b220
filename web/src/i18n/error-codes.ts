import type { components } from '@/lib/api/schema'

/** Every code the server answers with, and two of our own: `network` and `unknown`. */
export type ErrorCode = components['schemas']['ApiError']['code'] | 'network' | 'unknown'
