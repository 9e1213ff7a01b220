import { savedAge } from '@/lib/age'
import { ApiError } from '@/contract/error'
import type { User } from '@/contract/types'
import { api, read } from './client'

/** Requests a text for the wallet to sign, which proves that the user owns the address. */
export function requestChallenge(address: string) {
  return read(api.POST('/api/auth/challenge', { body: { address } }))
}

export type Challenge = Awaited<ReturnType<typeof requestChallenge>>

/** A challenge with the wallet's signature. */
export interface SignedChallenge {
  address: string
  /** base58 of 64 bytes */
  signature: string
  /** base64 of the signed bytes, if the wallet returns them */
  signedMessage?: string
}

/** Answers the challenge; success sets the session cookie. */
export async function beginSession(signed: SignedChallenge): Promise<User> {
  const { user } = await read(api.POST('/api/auth/verify', { body: { ...signed, ...savedAge() } }))
  return user
}

/** Ends the session on the server. One that has ended already counts as success. */
export async function endSession(): Promise<void> {
  try {
    await api.POST('/api/auth/logout')
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
}

/**
 * The user of the session cookie, or null without a session. A session of another wallet than the
 * stored one is an error, `wallet_mismatch`.
 */
export async function fetchUser(): Promise<User | null> {
  try {
    return await getUserWithRetry()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') return null
    throw error
  }
}

const getUser = () => read(api.GET('/api/auth/user'))

/** Retries once if no response arrives: one lost response shouldn't sign anyone out. */
async function getUserWithRetry(): Promise<User> {
  try {
    return await getUser()
  } catch (error) {
    const answered = error instanceof ApiError && error.status >= 400 && error.status < 500
    if (answered) throw error
    return getUser()
  }
}
