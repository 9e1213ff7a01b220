import { api, read } from '@/lib/api/client'
import type { User } from '@/lib/api/types'

export interface Proof {
  address: string
  /** base58 of 64 bytes */
  signature: string
  /** base64 of the bytes the wallet says it signed, where it says so */
  signedMessage?: string
}

/** Answers the challenge; success sets the session cookie. */
export async function verifyProof(proof: Proof): Promise<User> {
  const { user } = await read(api.POST('/api/auth/verify', { body: proof }))
  return user
}
