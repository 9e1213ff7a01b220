import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'
import { useSession } from '@/lib/session'

export interface Profile {
  /** null for none */
  firstName: string | null
  /** null for the drawn one */
  profileImageUrl: string | null
}

/** Where people are shown to each other. */
const shown = [queryKeys.activity, queryKeys.leaderboard, queryKeys.marketplace]

/** Changes the visitor's name and picture, and whatever on the page shows them. */
export function useSaveProfile(handlers: { onSuccess: () => void; onError: (error: Error) => void }) {
  const queryClient = useQueryClient()
  const { refresh } = useSession()
  return useMutation({
    mutationFn: async (profile: Profile) => {
      await read(api.PATCH('/api/auth/user', { body: profile }))
      await Promise.all([refresh(), ...shown.map((queryKey) => queryClient.invalidateQueries({ queryKey }))])
    },
    ...handlers,
  })
}
