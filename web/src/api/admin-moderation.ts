import type { DebitOutcome, FreezeOutcome } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'

interface Reasoned {
  id: string
  /** Shown to the user. */
  reason: string
}

/** Freezes a user's account, or unfreezes it. */
export function useFreeze(handlers: Handlers<FreezeOutcome>) {
  return useAct(
    'moderate',
    ({ id, freeze, ...body }: Reasoned & { freeze: boolean }, { params: { header }, headers }) => {
      const request = { body, params: { path: { id }, header }, headers }
      return read(
        freeze
          ? api.POST('/api/admin/users/{id}/freeze', request)
          : api.POST('/api/admin/users/{id}/unfreeze', request),
      )
    },
    handlers,
  )
}

interface ProfileEdit extends Reasoned {
  removeName?: boolean
  removePicture?: boolean
  /** Also switches the public profile off. */
  removeHandle?: boolean
  /** Hides the public profile and pull pages, or shows them again. */
  pagesHidden?: boolean
  /** Keeps the user from changing name, picture and handle, or lets them again. */
  lock?: boolean
}

/** Changes what others see of a user. */
export function useModerateProfile(handlers: Handlers<unknown>) {
  return useAct(
    'moderate',
    ({ id, ...body }: ProfileEdit, { params: { header }, headers }) =>
      read(api.POST('/api/admin/users/{id}/profile', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}

/** Takes points back from a user. */
export function useDebit(handlers: Handlers<DebitOutcome>) {
  return useAct(
    'moderate',
    ({ id, ...body }: Reasoned & { amountCents: number }, { params: { header }, headers }) =>
      read(api.POST('/api/admin/users/{id}/debit', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}
