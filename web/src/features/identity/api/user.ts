import { ApiError, api, read } from '@/lib/api/client'
import type { User } from '@/lib/api/types'

/**
 * The user of the session cookie, or null without a session. A session of another wallet than the
 * stored one is an error, `wallet_mismatch`: somebody is signed in, but not the account at the screen.
 */
export async function fetchUser(): Promise<User | null> {
  try {
    return await read(api.GET('/api/auth/user'))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') return null
    throw error
  }
}
