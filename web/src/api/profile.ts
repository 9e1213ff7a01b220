import { useMutation } from '@tanstack/react-query'
import { useSession } from '@/lib/session'
import { useInvalidate } from './invalidations'
import { api, read } from './client'

interface Profile {
  /** null for none */
  firstName: string | null
  /** null for the generated one */
  profileImageUrl: string | null
}

/** Saves the visitor's name and picture, and refetches data that includes them. */
export function useSaveProfile(handlers: { onSuccess: () => void; onError: (error: Error) => void }) {
  const session = useSession()
  const refresh = useInvalidate('saveProfile')
  return useMutation({
    mutationFn: async (body: Profile) => {
      await read(api.PATCH('/api/auth/user', { body }))
      await Promise.all([session.refresh(), refresh()])
    },
    ...handlers,
  })
}
