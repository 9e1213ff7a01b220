import { ApiError, api, read } from '@/lib/api/client'
import type { User } from '@/lib/api/types'

/**
 * The user of the session cookie, or null without a session. A session of another wallet than the
 * stored one is an error, `wallet_mismatch`: somebody is signed in, but not the account at the screen.
 */
export async function fetchUser(): Promise<User | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') return null
    throw error
  }
}

/** Asks once more where no answer came: nobody should look signed out for one that was lost. */
async function ask(): Promise<User> {
  try {
    return await read(api.GET('/api/auth/user'))
  } catch (error) {
    const answered = error instanceof ApiError && error.status >= 400 && error.status < 500
    if (answered) throw error
    return read(api.GET('/api/auth/user'))
  }
}
