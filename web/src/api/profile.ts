import { useMutation } from '@tanstack/react-query'
import { useSession } from '@/lib/session'
import { useInvalidate } from './invalidations'
import { api, read } from './client'

/** Changes of the profile; what is left out stays. */
interface ProfileChange {
  /** null for none */
  firstName?: string | null
  /** null for the generated one */
  profileImageUrl?: string | null
  /** Whether others can give the visitor items. */
  acceptsGifts?: boolean
}

/** Saves the visitor's profile, and refetches data that includes it. */
export function useSaveProfile(handlers: { onSuccess: () => void; onError: (error: Error) => void }) {
  const session = useSession()
  const refresh = useInvalidate('saveProfile')
  return useMutation({
    mutationFn: async (body: ProfileChange) => {
      await read(api.PATCH('/api/auth/user', { body }))
      await Promise.all([session.refresh(), refresh()])
    },
    ...handlers,
  })
}
