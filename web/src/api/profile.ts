import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Language } from '@/lib/language'
import { useSession } from '@/lib/session'
import { useInvalidate } from './invalidations'
import { api, read, readById } from './client'
import { keys } from './keys'

/** Changes of the profile; what is left out stays. */
interface ProfileChange {
  /** null for none */
  firstName?: string | null
  /** null for the generated one */
  profileImageUrl?: string | null
  /** Whether others can give the visitor items. */
  acceptsGifts?: boolean
  /** null gives the handle up, and with it the public profile. */
  handle?: string | null
  /** Whether the visitor's profile is public. */
  public?: boolean
  /** The language of the profile's preview picture, with `public`. */
  language?: Language
  /** The entries of the showcase, in order. */
  showcase?: string[]
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

/** A user's public profile; 404 unless they made it public. */
export const profileQuery = (handle: string) =>
  queryOptions({
    queryKey: keys.profile(handle),
    queryFn: ({ signal }) =>
      readById(handle, () => api.GET('/api/profiles/{handle}', { params: { path: { handle } }, signal })),
  })
