import { api, read } from '@/lib/api/client'

/** Asks for a text that proves, once signed, that the caller holds the address's key. */
export function requestChallenge(address: string) {
  return read(api.POST('/api/auth/challenge', { body: { address } }))
}

export type Challenge = Awaited<ReturnType<typeof requestChallenge>>
