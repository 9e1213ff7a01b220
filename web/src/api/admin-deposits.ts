import type { AdminDeposit } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

/** All users' deposits in a state, newest first, in pages. */
export const adminDepositsQuery = (state: AdminDeposit['state']) =>
  pagedQuery([...keys.adminDeposits, state], (query, options) =>
    api.GET('/api/admin/deposits', { params: { query: { ...query, state } }, ...options }),
  )

/** CSV download URL of the deposits in a state. */
export const depositsCsvUrl = (state: AdminDeposit['state']) => `/api/admin/deposits?state=${state}&format=csv`

/** Payments not matched to a deposit, newest first, in pages. */
export const orphansQuery = pagedQuery(keys.orphans, (query, options) =>
  api.GET('/api/admin/orphans', { params: { query }, ...options }),
)

interface Resolved {
  id: string
  action: 'credit' | 'refund' | 'reject'
  reason: string
}

export function useResolveDeposit(handlers: Handlers<AdminDeposit>) {
  return useAct(
    'resolve',
    ({ id, ...body }: Resolved, { params: { header }, headers }) =>
      read(api.POST('/api/admin/deposits/{id}/resolve', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}
