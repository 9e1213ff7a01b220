import { useMutation, useQuery } from '@tanstack/react-query'
import { type TextSignature, useSession, useSignedIn } from '@/lib/session'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { useInvalidate } from './invalidations'
import { keys } from './keys'

/** How long data is kept, and the state of the account's deletion. */
export function useAccountData() {
  return useQuery({
    queryKey: keys.account,
    queryFn: ({ signal }) => read(api.GET('/api/account/data', { signal })),
    staleTime: 0,
    enabled: useSignedIn(),
  })
}

/** Requests the text to sign for an export or the deletion of the account. */
export function requestAccountChallenge(purpose: 'export' | 'deletion') {
  return read(api.POST('/api/account/challenge', { body: { purpose } }))
}

/** Permits one download of the visitor's data. The result has the address of the archive. */
export function useExportData(handlers: { onSuccess: (address: string) => void; onError: (error: Error) => void }) {
  return useMutation({
    mutationFn: async (body: TextSignature) => {
      const { id } = await read(api.POST('/api/account/export', { body }))
      return `/api/account/export/${id}`
    },
    ...handlers,
  })
}

export function useDeleteAccount(handlers: Handlers<unknown>) {
  return useAct(
    'deleteAccount',
    (body: TextSignature, keyed) => read(api.POST('/api/account/delete', { body, ...keyed })),
    handlers,
  )
}

/** Keeps the account after all. */
export function useCancelDeletion(handlers: { onSuccess: () => void; onError: (error: Error) => void }) {
  const session = useSession()
  const refresh = useInvalidate('cancelDeletion')
  return useMutation({
    mutationFn: async () => {
      await api.DELETE('/api/account/delete')
      await Promise.all([session.refresh(), refresh()])
    },
    ...handlers,
  })
}
