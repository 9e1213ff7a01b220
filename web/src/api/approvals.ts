import type { Approval } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

/** Requests waiting for a second admin, or decided ones, newest first, in pages. */
export const approvalsQuery = (state: Approval['state']) =>
  pagedQuery([...keys.approvals, state], (query, options) =>
    api.GET('/api/admin/approvals', { params: { query: { ...query, state } }, ...options }),
  )

interface Decided {
  id: string
  decision: 'approve' | 'refuse'
  reason: string
}

export function useDecide(handlers: Handlers<Approval>) {
  return useAct(
    'decide',
    ({ id, ...body }: Decided, { params: { header }, headers }) =>
      read(api.POST('/api/admin/approvals/{id}', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}
