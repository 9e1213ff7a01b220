import { ApiError, api } from '@/lib/api/client'

/** Ends the session on the server. One that has ended already counts as success. */
export async function endSession(): Promise<void> {
  try {
    await api.POST('/api/auth/logout')
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
}
